// The script of the documentation page: the visitor's language, the base URL in the samples, buttons to copy, and navigation that follows
// the section in view. The page is readable without the script.
'use strict';

(() => {
  // The name under which this page and the test page store the language.
  const LANGUAGE = 'postduif-language';
  const SAMPLES = 'postduif-samples';
  const SHOWN_MS = 2_000;
  const root = document.documentElement;

  if (goesToOtherLanguage()) return;
  root.classList.add('scripted');
  addEventListener('DOMContentLoaded', () => {
    showBase();
    startLanguages();
    startSamples();
    addCopyButtons();
    startContents();
    measureSamples();
  });
  openForPrint();

  /** Goes to the page in the stored language, unless the URL names one. */
  function goesToOtherLanguage() {
    const stored = read(LANGUAGE);
    const isOther = ['nl', 'en'].includes(stored) && stored !== root.lang;
    if (!isOther || new URLSearchParams(location.search).has('lang')) return false;
    location.replace(`?lang=${stored}${location.hash}`);
    return true;
  }

  /**
   * Puts the URLs of this service into the samples. They are relative to the page, so they are also correct behind a proxy with a prefix.
   */
  function showBase() {
    for (const place of document.querySelectorAll('.base')) place.textContent = new URL(place.dataset.path, document.baseURI).href;
  }

  function startLanguages() {
    for (const link of document.querySelectorAll('.languages a')) {
      link.addEventListener('click', () => {
        write(LANGUAGE, link.lang);
        link.hash = location.hash;
      });
    }
  }

  /** Starts with the stored language of the samples, and stores each choice. */
  function startSamples() {
    const stored = read(SAMPLES);
    for (const choice of document.getElementsByName('sample')) {
      if (choice.value === stored) choice.checked = true;
      choice.addEventListener('change', () => write(SAMPLES, choice.value));
    }
  }

  function addCopyButtons() {
    const { copy, copied, selected } = document.body.dataset;
    const status = document.createElement('p');
    status.className = 'unseen';
    status.setAttribute('role', 'status');
    document.querySelector('.bar').append(status);
    for (const panel of document.querySelectorAll('.panel:not(.answer)')) {
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'copy';
      button.textContent = copy;
      let timer;
      button.addEventListener('click', async () => {
        const code = [...panel.querySelectorAll('pre')].find((pre) => pre.checkVisibility());
        status.textContent = button.textContent = await tryCopy(code) ? copied : selected;
        clearTimeout(timer);
        timer = setTimeout(() => {
          button.textContent = copy;
          status.textContent = '';
        }, SHOWN_MS);
      });
      panel.querySelector('.head').append(button);
    }
  }

  /** Copies a text, or selects it where the browser has no clipboard, as on a page without TLS. */
  async function tryCopy(element) {
    try {
      await navigator.clipboard.writeText(element.textContent);
      return true;
    } catch {
      getSelection().selectAllChildren(element);
      return false;
    }
  }

  /** Marks the section in view. On a phone, closes the list of contents when the visitor chooses a section. */
  function startContents() {
    const links = new Map();
    for (const link of document.querySelectorAll('.side a[href^="#"], .contents a[href^="#"]')) {
      const target = document.getElementById(link.hash.slice(1));
      const part = target.closest('article') ?? target;
      links.set(part, [...(links.get(part) ?? []), link]);
    }
    const inView = new Set();
    const observer = new IntersectionObserver((changes) => {
      for (const { target, isIntersecting } of changes) inView[isIntersecting ? 'add' : 'delete'](target);
      // The last part in view is the innermost, because an article comes after the section around it.
      const current = [...links.keys()].filter((part) => inView.has(part)).at(-1);
      if (current) mark(links, current);
    }, { rootMargin: '-15% 0px -85% 0px' });
    for (const part of links.keys()) observer.observe(part);

    const contents = document.querySelector('.contents');
    contents.addEventListener('click', ({ target }) => {
      if (target.closest('a')) contents.open = false;
    });
    contents.addEventListener('keydown', ({ key }) => {
      if (key !== 'Escape' || !contents.open) return;
      contents.open = false;
      contents.querySelector('summary').focus();
    });
    // The script has changed the layout, so scroll to the target of the fragment again.
    if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }

  function mark(links, current) {
    for (const [part, own] of links) {
      for (const link of own) {
        if (part === current) link.setAttribute('aria-current', 'location');
        else link.removeAttribute('aria-current');
      }
    }
    const side = document.querySelector('.side');
    const [{ offsetTop }] = links.get(current);
    const isOutside = offsetTop < side.scrollTop || offsetTop > side.scrollTop + side.clientHeight - 40;
    if (isOutside) side.scrollTop = offsetTop - side.clientHeight / 2;
  }

  /** Opens all parts while the page is printed, because the style sheet cannot do so in every browser. */
  function openForPrint() {
    let opened = [];
    addEventListener('beforeprint', () => {
      opened = [...document.querySelectorAll('main details:not([open])')];
      for (const details of opened) details.open = true;
    });
    addEventListener('afterprint', () => {
      for (const details of opened) details.open = false;
    });
  }

  /** Gives the style sheet the heights of the samples, which change with their language. */
  function measureSamples() {
    const observer = new ResizeObserver((changes) => {
      for (const { target } of changes) target.style.setProperty('--height', `${target.offsetHeight}px`);
    });
    for (const samples of document.querySelectorAll('.samples')) observer.observe(samples);
  }

  /** The stored text; null if nothing is stored or the browser blocks its storage. */
  function read(name) {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  }

  function write(name, value) {
    try {
      localStorage.setItem(name, value);
    } catch {
      // Without storage the choice applies to this page view only.
    }
  }
})();
