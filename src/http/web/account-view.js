// Renders an answer on the page of an account: plan and limits, usage, keys, refusals.

import { el, formatNumber, known, locale, svg, t } from './dom.js';

const DAY_MS = 86_400_000;
/** The height of the chart, and the width that each bar takes, in units of the SVG. */
const HEIGHT = 100;
const STEP = 10;

/** The sections of an account. */
export function overview(account) {
  return [plan(account), usage(account), keys(account), refusals(account)];
}

function section(name, ...children) {
  const id = `${name}-title`;
  return el('section', { 'aria-labelledby': id }, el('h2', { id }, t(`${name}.title`)), ...children);
}

function plan({ plan: name, limits, month }) {
  const limit = limits.callsPerMonth;
  const bar = el('span', { class: 'bar', 'aria-hidden': 'true' });
  bar.style.setProperty('--left', Math.min(1, month.callsUsed / limit));
  bar.classList.toggle('low', month.callsRemaining < limit / 5);
  const left = t('plan.left', { left: formatNumber(month.callsRemaining), day: date(month.end) });
  const grace = limits.grace ? t('plan.graceAbove', { grace: formatNumber(limits.grace) }) : t('plan.noGrace');
  const rows = [
    ['plan.name', name],
    ['plan.month', t('plan.used', { used: formatNumber(month.callsUsed), limit: formatNumber(limit) }), bar, el('small', {}, left)],
    ['plan.grace', grace],
    ['plan.rate', formatNumber(limits.callsPerSecond), el('small', {}, t('plan.ofKey'))],
    ['plan.bulk', limits.bulkMax === null ? t('plan.noBulk') : formatNumber(limits.bulkMax)],
  ];
  const list = rows.map(([label, value, ...more]) => el('div', {}, el('dt', {}, t(label)), el('dd', {}, el('b', {}, value), ...more)));
  return section('plan', el('dl', { class: 'limits' }, list));
}

function usage({ month, usage: rows }) {
  if (!rows.length) return section('usage', el('p', {}, t('usage.none')));
  const columns = ['usage.day', 'usage.endpoint', 'usage.calls', 'usage.lines', 'usage.errors'];
  const counts = ({ calls, lines, errors }) => [calls, lines, errors].map(formatNumber);
  const sum = (name) => rows.reduce((total, row) => total + row[name], 0);
  const total = { calls: sum('calls'), lines: sum('lines'), errors: sum('errors') };
  const body = rows.toReversed().map((row) => [date(row.day, 'short'), row.endpoint, ...counts(row)]);
  return section('usage', picture(month, rows), table('usage.caption', columns, 2, body, [t('usage.total'), '', ...counts(total)]));
}

/** A bar for each day so far, in a chart as wide as the whole month. The table below has the same figures. */
function picture(month, rows) {
  const lines = new Map();
  for (const row of rows) lines.set(row.day, (lines.get(row.day) ?? 0) + row.lines);
  const days = daysUntil(month.start.slice(0, 10), rows.at(-1).day);
  const most = days.reduce((best, day) => ((lines.get(day) ?? 0) > (lines.get(best) ?? 0) ? day : best));
  const max = Math.max(1, lines.get(most) ?? 0);
  const bars = days.map((day, at) => {
    const used = lines.get(day) ?? 0;
    const height = used ? Math.max(2, (used / max) * HEIGHT) : 1;
    return svg('rect', { class: used ? null : 'none', x: at * STEP + 1, y: HEIGHT - height, width: STEP - 2, height },
      svg('title', {}, `${date(day)}: ${formatNumber(used)}`));
  });
  const about = t('usage.picture', { first: date(days[0]), last: date(days.at(-1)), day: date(most), most: formatNumber(lines.get(most) ?? 0) });
  const inMonth = Math.round((Date.parse(month.end) - Date.parse(month.start)) / DAY_MS);
  const viewBox = `0 0 ${Math.max(days.length, inMonth) * STEP} ${HEIGHT}`;
  return el('figure', { class: 'days' },
    svg('svg', { viewBox, preserveAspectRatio: 'none', 'aria-hidden': 'true' }, bars), el('figcaption', {}, about));
}

/** Every day from the first of the month to today, or to a later day that has calls. */
function daysUntil(first, last) {
  const today = new Date().toISOString().slice(0, 10);
  const end = Date.parse(last > today ? last : today);
  const begin = Date.parse(first);
  const count = Math.min(31, Math.max(1, Math.round((end - begin) / DAY_MS) + 1));
  return Array.from({ length: count }, (_, at) => new Date(begin + at * DAY_MS).toISOString().slice(0, 10));
}

function keys({ keys: list }) {
  return section('keys', el('ul', { class: 'keys' }, list.map(key)));
}

function key({ hint, id, isOwn, environment, readOnly, origins, networks, perIpPerMinute, createdAt, expiresAt, revokedAt }) {
  const hasExpired = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
  const ended = revokedAt !== null || hasExpired;
  const rules = [
    t(`keys.${environment}`),
    t(readOnly ? 'keys.readOnly' : 'keys.full'),
    origins.length === 0 ? t('keys.servers') : origins.includes('*') ? t('keys.anywhere') : t('keys.origins', { list: origins.join(', ') }),
    networks.length ? t('keys.networks', { list: networks.join(', ') }) : null,
    perIpPerMinute === null ? null : t('keys.perIp', { count: perIpPerMinute }),
  ];
  const dates = [
    t('keys.created', { day: moment(createdAt) }),
    revokedAt !== null ? t('keys.revoked', { day: moment(revokedAt) })
      : expiresAt !== null ? t(hasExpired ? 'keys.expired' : 'keys.expires', { day: moment(expiresAt) }) : null,
  ];
  const joined = (parts) => el('p', {}, parts.filter(Boolean).join(' · '));
  return el('li', { class: ended ? 'ended' : null },
    el('code', {}, hint), isOwn ? [' ', el('strong', {}, t('keys.own'))] : null,
    joined(rules), joined(dates), el('p', {}, t('keys.id', { id })));
}

function refusals({ refusals: { byReason, last } }) {
  const about = el('p', { class: 'hint' }, t('refusals.about'));
  if (!byReason.length) return section('refusals', el('p', {}, t('refusals.none')), about);
  const totals = byReason.map((row) => [reason(row), row.status, formatNumber(row.calls), moment(row.lastAt)]);
  const latest = last.map((row) => [moment(row.lastAt), row.endpoint, row.status, reason(row), formatNumber(row.calls)]);
  const [why, status, calls, lastAt, endpoint] = ['reason', 'status', 'calls', 'lastAt', 'endpoint'].map((name) => `refusals.${name}`);
  return section('refusals', about,
    table('refusals.byReason', [why, status, calls, lastAt], 0, totals),
    table('refusals.last', [lastAt, endpoint, status, why, calls], 0, latest));
}

/** The reason of a refusal: its meaning, if this page knows it, and its code. */
function reason({ reason: code }) {
  const meaning = known(`reason.${code}`);
  return [meaning === null ? null : `${meaning} `, el('code', {}, code)];
}

/** A table that scrolls in its own box. The first cell names its row. If `counts` is not 0, the cells from that column on are numbers. */
function table(caption, columns, counts, rows, total) {
  const kind = (at) => (counts && at >= counts ? 'count' : null);
  const row = (cells) => el('tr', {}, cells.map((cell, at) =>
    at === 0 ? el('th', { scope: 'row' }, cell) : el('td', { class: kind(at) }, cell)));
  const head = columns.map((column, at) => el('th', { scope: 'col', class: kind(at) }, t(column)));
  return el('div', { class: 'scroll', tabindex: '0', role: 'group', 'aria-label': t(caption) },
    el('table', {}, el('caption', {}, t(caption)), el('thead', {}, el('tr', {}, head)),
      el('tbody', {}, rows.map(row)), total ? el('tfoot', {}, row(total)) : null));
}

/** The day in UTC of a date or a time. */
function date(text, month = 'long') {
  return new Date(text).toLocaleDateString(locale(), { day: 'numeric', month, timeZone: 'UTC' });
}

/** A time on the visitor's clock. */
function moment(text) {
  return new Date(text).toLocaleString(locale(), { dateStyle: 'long', timeStyle: 'short' });
}
