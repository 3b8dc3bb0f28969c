import { expect, test } from 'vitest'
import { rowId } from '#contract/ids.ts'
import type { AuditEntry } from './audit-text'
import { changeOf, changesTexts, differingFields, textsAfter, versionTexts } from './versions'

const id = (place: number) => rowId.parse(`01900000-0000-7000-8000-00000000000${place}`)
const entry = (place: number, changes: AuditEntry['changes']): AuditEntry => ({
  id: id(place),
  at: `2026-11-0${place}T00:00:00.000Z`,
  actor: 'staff:kim@example.com',
  action: 'page.changed',
  subject: 'page:about',
  changes,
  detail: {},
})
const names = ['title', 'body']
const entries = [
  entry(4, { 'body.ko': { from: '하나', to: '둘' } }),
  entry(3, { pinned: { from: false, to: true } }),
  entry(2, { title: { from: 'One', to: 'Two' }, 'body.ko': { from: null, to: '하나' } }),
  entry(1, { title: { from: null, to: 'One' }, body: { from: null, to: '<p>Text</p>' } }),
]
const present = versionTexts(names, { title: 'Two', body: '<p>Text</p>' }, { ko: { body: '둘' } })

test('the texts after an entry are those of the present without the later changes', () => {
  expect(present).toEqual({ title: 'Two', body: '<p>Text</p>', 'body.ko': '둘' })
  expect(textsAfter(entries, id(4), names, present)).toEqual(present)
  expect(textsAfter(entries, id(2), names, present)).toEqual({ ...present, 'body.ko': '하나' })
  expect(textsAfter(entries, id(1), names, present)).toEqual({ title: 'One', body: '<p>Text</p>', 'body.ko': null })
})

test('a product’s translations are one field of its history', () => {
  const texts = (ko: string) => ({ ko: { title: ko } })
  const changed = [
    entry(2, { translations: { from: texts('하나'), to: texts('둘') } }),
    entry(1, { translations: { from: {}, to: texts('하나') } }),
  ]
  const now = versionTexts(names, { title: 'One' }, { ko: { title: '둘' } })
  expect(textsAfter(changed, id(1), names, now)).toEqual({ title: 'One', 'title.ko': '하나' })
})

test('only entries that change texts are versions', () => {
  expect(entries.map((each) => changesTexts(each, names))).toEqual([true, false, true, true])
})

test('what differs is sent by language; a text that did not exist is removed', () => {
  const before = textsAfter(entries, id(1), names, present)
  const fields = differingFields(before, present)
  expect(fields).toEqual(['title', 'body.ko'])
  const texts = Object.fromEntries(fields.map((field) => [field, before[field] ?? null]))
  expect(changeOf(names, texts)).toEqual({ own: { title: 'One' }, translations: { ko: { body: null } } })
})
