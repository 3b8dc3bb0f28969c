import { beforeEach, describe, expect, test, vi } from 'vitest'
import {
  countDrafts,
  type Draft,
  type DraftOwner,
  forgetDrafts,
  newDraftKey,
  readDraft,
  removeDraft,
  writeDraft,
} from './drafts'

const day = 24 * 60 * 60_000
const owner = { store: 'aurora', person: '1' }

/** Keeps a draft as a form that is opened now. Returns its key. */
const keep = (of: DraftOwner, name: string, changes: Draft): string => {
  const key = newDraftKey(of, name)
  writeDraft(of, key, changes)
  return key
}

const draftOf = (title: string, at = Date.now()): Draft => ({ at, version: '3', texts: { title } })

beforeEach(() => {
  const values = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    get length() {
      return values.size
    },
    key: (at: number) => [...values.keys()][at] ?? null,
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  })
})

describe('unsaved changes', () => {
  test('are read by the person and the store that left them', () => {
    const key = keep(owner, 'notice', draftOf('Tide'))
    expect(readDraft(owner, 'notice')?.texts).toEqual({ title: 'Tide' })
    expect(readDraft({ ...owner, person: '12' }, 'notice')).toBeUndefined()
    expect(readDraft({ ...owner, store: 'borealis' }, 'notice')).toBeUndefined()
    removeDraft(key)
    expect(readDraft(owner, 'notice')).toBeUndefined()
  })

  test('of two tabs are kept both, and each form removes its own', () => {
    const one = keep(owner, 'notice', draftOf('One', Date.now() - 2))
    const other = keep(owner, 'notice', draftOf('Other', Date.now() - 1))
    keep(owner, 'notice of tides', draftOf('Of another form'))
    expect(readDraft(owner, 'notice')).toMatchObject({ key: other, texts: { title: 'Other' } })
    writeDraft(owner, one, draftOf('One again'))
    expect(readDraft(owner, 'notice')).toMatchObject({ key: one, texts: { title: 'One again' } })
    removeDraft(one)
    expect(readDraft(owner, 'notice')).toMatchObject({ key: other, texts: { title: 'Other' } })
    removeDraft(other)
    expect(readDraft(owner, 'notice')).toBeUndefined()
  })

  test('that an earlier release kept are offered', () => {
    localStorage.setItem('console-draft aurora 1 notice', JSON.stringify(draftOf('Tide')))
    expect(readDraft(owner, 'notice')?.texts).toEqual({ title: 'Tide' })
  })

  test('are removed after 30 days, of everybody', () => {
    keep({ ...owner, person: '2' }, 'notice', draftOf('Old', Date.now() - 31 * day))
    keep(owner, 'faq', draftOf('New', Date.now() - 29 * day))
    expect(readDraft(owner, 'faq')).toBeDefined()
    expect(localStorage.length).toBe(1)
  })

  test('give way to newer ones, and one that is too long is not kept', () => {
    for (let at = 0; at < 12; at++) keep(owner, `page ${at}`, draftOf('x'.repeat(300_000), Date.now() - day + at))
    expect(countDrafts(owner)).toBe(6)
    expect(readDraft(owner, 'page 11')).toBeDefined()
    expect(readDraft(owner, 'page 0')).toBeUndefined()
    keep(owner, 'long', draftOf('x'.repeat(700_000)))
    expect(readDraft(owner, 'long')).toBeUndefined()
  })

  test('are deleted at the sign-out, also those of a form that is still open', () => {
    keep(owner, 'notice', draftOf('Tide'))
    keep({ ...owner, person: '2' }, 'notice', draftOf('Of another'))
    forgetDrafts(owner)
    keep(owner, 'faq', draftOf('Closing'))
    expect(countDrafts(owner)).toBe(0)
    expect(countDrafts({ ...owner, person: '2' })).toBe(1)
  })

  test('that cannot be read are none, and a browser without storage keeps none', () => {
    localStorage.setItem('console-draft aurora 1 notice', '{"at":')
    expect(readDraft(owner, 'notice')).toBeUndefined()
    vi.stubGlobal('localStorage', undefined)
    keep(owner, 'notice', draftOf('Tide'))
    expect(countDrafts(owner)).toBe(0)
  })
})
