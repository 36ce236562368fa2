// The tabs: one panel is visible, and the URL fragment names it, so that links and the back button work.
//
// Source: WAI-ARIA Authoring Practices, pattern "Tabs" with automatic activation.

const list = document.querySelector('[role=tablist]');
const tabs = [...list.querySelectorAll('[role=tab]')];

/** Shows the panel of the URL fragment, else the first one, and listens to clicks, keys and the history. */
export function startTabs() {
  list.addEventListener('click', (event) => {
    const tab = event.target.closest('[role=tab]');
    if (!tab || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    openTab(panelId(tab));
  });
  list.addEventListener('keydown', onKey);
  for (const event of ['popstate', 'hashchange']) addEventListener(event, showFragment);
  select(tabs[0]);
  showFragment();
}

/** Shows a panel. The panel's name goes into the URL, as a new entry of the history. */
export function openTab(id) {
  const tab = tabs.find((each) => panelId(each) === id);
  if (tab.ariaSelected === 'true') return;
  history.pushState(null, '', `#${id}`);
  select(tab);
  // After scrolling down, the panel begins above the tabs, which stay in sight.
  const panel = document.getElementById(id);
  if (panel.getBoundingClientRect().top < 0) panel.scrollIntoView();
}

function panelId(tab) {
  return tab.getAttribute('aria-controls');
}

function select(chosen) {
  for (const tab of tabs) {
    tab.ariaSelected = String(tab === chosen);
    tab.tabIndex = tab === chosen ? 0 : -1;
    document.getElementById(panelId(tab)).hidden = tab !== chosen;
  }
}

/**
 * Shows the panel of the URL fragment, or the first panel if the URL has no fragment. Other fragments, such as that of the skip link,
 * change nothing.
 */
function showFragment() {
  const tab = location.hash ? tabs.find((each) => each.hash === location.hash) : tabs[0];
  if (!tab) return;
  select(tab);
  // The browser has scrolled to the panel, and the tabs above it may be out of sight.
  if (location.hash && list.getBoundingClientRect().bottom < 0) list.scrollIntoView();
}

function onKey(event) {
  const at = tabs.indexOf(event.target);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1, ' ': at }[event.key];
  if (at < 0 || to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const tab = tabs[(to + tabs.length) % tabs.length];
  // Moving along the tabs makes no entries in the history.
  history.replaceState(null, '', tab.hash);
  select(tab);
  tab.focus();
}
