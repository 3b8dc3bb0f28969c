import * as z from 'zod/mini'

/** Whose changes they are: nobody else is offered them. */
export interface DraftOwner {
  store: string
  person: string
}

const draft = z.object({
  /** When it was written, in milliseconds of this device. */
  at: z.number(),
  /** The version of the object that was changed; null for an object that does not exist yet. */
  version: z.nullable(z.string()),
  /** The texts of the form's fields by their names. */
  texts: z.record(z.string(), z.string()),
  /** What the form holds beside its named fields. */
  state: z.optional(z.unknown()),
})
export type Draft = z.output<typeof draft>

const prefix = 'console-draft'
const maxAge = 30 * 24 * 60 * 60_000
/** In characters: of one draft, and of all of them. Browsers hold about five million. */
const maxLength = 600_000
const maxTotal = 2_000_000

const beginningOf = ({ store, person }: DraftOwner) => `${prefix} ${store} ${person} `
const keyOf = (owner: DraftOwner, name: string) => beginningOf(owner) + name

const parse = (text: string | null): Draft | undefined => {
  try {
    return draft.safeParse(JSON.parse(text ?? '')).data
  } catch {
    return undefined
  }
}

/** Whose drafts were deleted at the sign-out. A form that closes after it keeps nothing. */
let forgotten: string | undefined

/** Runs on the storage of the browser, which may refuse: then nothing is stored. */
const onStorage = <Value>(use: (storage: Storage) => Value, otherwise: Value): Value => {
  try {
    return use(localStorage)
  } catch {
    return otherwise
  }
}

const keysOf = (storage: Storage, beginning: string) =>
  Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? '').filter((key) => key.startsWith(beginning))

/** Removes what is too old, then the oldest until `needed` more characters fit. */
const makeRoom = (storage: Storage, needed: number) => {
  const stored = keysOf(storage, `${prefix} `).map((key) => {
    const text = storage.getItem(key)
    return { key, at: parse(text)?.at ?? 0, length: text?.length ?? 0 }
  })
  let total = stored.reduce((sum, { length }) => sum + length, needed)
  for (const { key, at, length } of stored.toSorted((one, other) => one.at - other.at)) {
    if (at > Date.now() - maxAge && total <= maxTotal) break
    storage.removeItem(key)
    total -= length
  }
}

/** The key of the draft of one opened form: the same form may be open in several tabs. */
export const newDraftKey = (owner: DraftOwner, name: string): string => `${keyOf(owner, name)}#${crypto.randomUUID()}`

/**
 * Returns the latest unsaved changes of a form, with their key; undefined if there are none of the
 * last 30 days.
 */
export const readDraft = (owner: DraftOwner, name: string): (Draft & { key: string }) | undefined =>
  onStorage((storage) => {
    forgotten = undefined
    makeRoom(storage, 0)
    const key = keyOf(owner, name)
    const [latest] = keysOf(storage, key)
      // An earlier release kept one draft for each form.
      .filter((each) => each === key || each.startsWith(`${key}#`))
      .flatMap((each) => {
        const stored = parse(storage.getItem(each))
        return stored ? [{ ...stored, key: each }] : []
      })
      .toSorted((one, other) => other.at - one.at)
    return latest
  }, undefined)

/** Keeps the unsaved changes of a form, without those that are too long. */
export const writeDraft = (owner: DraftOwner, key: string, changes: Draft): void =>
  onStorage((storage) => {
    if (forgotten === beginningOf(owner)) return
    const text = JSON.stringify(changes)
    if (text.length > maxLength) return
    storage.removeItem(key)
    makeRoom(storage, text.length)
    storage.setItem(key, text)
  }, undefined)

export const removeDraft = (key: string): void => onStorage((storage) => storage.removeItem(key), undefined)

/** Returns how many forms a person has left unsaved in this browser. */
export const countDrafts = (owner: DraftOwner): number =>
  onStorage((storage) => keysOf(storage, beginningOf(owner)).length, 0)

/** Deletes the drafts of a person who signs out. */
export const forgetDrafts = (owner: DraftOwner): void =>
  onStorage((storage) => {
    forgotten = beginningOf(owner)
    for (const key of keysOf(storage, beginningOf(owner))) storage.removeItem(key)
  }, undefined)
