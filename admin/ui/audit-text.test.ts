import { expect, test } from 'vitest'
import { rowId } from '#contract/ids.ts'
import { type AuditEntry, type AuditLabels, changesText } from './audit-text'

const fields: Record<string, string> = {
  kind: 'Kind',
  files: 'File',
  place: 'Position',
  price: 'Price',
  title: 'Title',
  total: 'Total',
  to: 'To',
  from: 'From',
}
const labels: AuditLabels = {
  field: (name) => fields[name],
  value: (field, value) => (field === 'kind' && value === 'VOD' ? 'Video' : undefined),
  language: (code) => (code === 'ko' ? 'Korean' : undefined),
  yes: 'Yes',
  no: 'No',
  changed: 'changed',
  erased: 'erased',
  position: 'Position',
  number: String,
  money: ({ amount, currency }) => `${currency} ${amount / 100}`,
  dateTime: (iso) => `at ${iso.slice(0, 16)}`,
  day: (day) => `on ${day}`,
  currency: 'USD',
}
const id = '01a2211f-96bd-7c3a-9a55-0123456789ab'

const textOf = (changes: AuditEntry['changes'], detail: AuditEntry['detail'] = {}) =>
  changesText({ id: rowId.parse(id), at: '', actor: 'rule', action: 'x', subject: 'x', changes, detail }, labels)

test('the changes of an entry are written without codes, tags and ids', () => {
  const lineOf = (field: string, from: unknown, to: unknown) => textOf({ [field]: { from, to } })
  expect(lineOf('kind', null, 'VOD')).toBe('Kind: Video')
  expect(lineOf('files.workbook.pdf', null, { place: 1, confirmationText: null })).toBe(
    'File: workbook.pdf: Position: 1',
  )
  expect(lineOf('captions', null, [{ title: 'English', file: 'en-17e5f876' }])).toBe('captions: Title: English')
  expect(lineOf('body', '<p>A &amp; <b>B</b></p><p>C</p>', '')).toBe('body: A & B C → –')
  expect(lineOf('body.ko', '', '<p>가</p>')).toBe('body (Korean): 가')
  expect(lineOf('title', null, 'A <b>tag</b>')).toBe('Title: A <b>tag</b>')
  expect(lineOf('routeRules', [], [{ to: '/videos', from: '/films', permanent: true }])).toBe(
    'routeRules: To: /videos, From: /films, permanent: Yes',
  )
  expect(lineOf('total', null, 500)).toBe('Total: USD 5')
  expect(lineOf('member', null, id)).toBe('')
  expect(lineOf('priceChanges', null, [])).toBe('')
  expect(lineOf('logo', null, '/media/brand/x.svg')).toBe('logo: changed')
  expect(lineOf('categoryIds', [id], [])).toBe('categoryIds: changed')
  expect(lineOf(id, 1, 3)).toBe('Position: 1 → 3')
  expect(lineOf('blockedAt', null, '2026-11-28T08:50:07.715Z')).toBe('blockedAt: at 2026-11-28T08:50')
  expect(lineOf('pinned', false, true)).toBe('pinned: No → Yes')
  expect(lineOf('title.ko', null, '항구')).toBe('Title (Korean): 항구')
  expect(lineOf('options.Own.price', { amount: 900, currency: 'USD' }, { amount: 1250, currency: 'USD' })).toBe(
    'Own: Price: USD 9 → USD 12.5',
  )
  expect(lineOf('title', 'A', 'x'.repeat(200))).toBe(`Title: A → ${'x'.repeat(160)}…`)
  expect(lineOf('title', '1 < 2', '3 > 2')).toBe('Title: 1 < 2 → 3 > 2')
})

test('an entry has a line for each change, and then what its actor wrote', () => {
  const changes = { kind: { from: null, to: 'VOD' }, total: { from: 100, to: 200 } }
  expect(textOf(changes, { reason: 'Gift', day: '2026-11-28' })).toBe(
    'Kind: Video\nTotal: USD 1 → USD 2\nGift\non 2026-11-28',
  )
  const matched = { from: '20261129-CY4359', day: '2026-11-28', amount: 990 }
  expect(textOf({ status: { from: null, to: 'PAID' } }, matched)).toBe('status: PAID\non 2026-11-28\n20261129-CY4359')
})

test('an entry says what was erased with an account, and which account was merged', () => {
  expect(textOf({}, { erased: ['reason', 'name'] })).toBe('erased')
  expect(textOf({}, { merged: id, email: 'second@example.com', reason: 'One person' })).toBe(
    'email: second@example.com\nOne person',
  )
})
