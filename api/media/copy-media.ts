import type { MediaStorage, StoredEntry } from './storage.ts'

export interface CopiedMedia extends StoredEntry {
  /** False for a file that was there already, as large and not older. */
  copied: boolean
}

/** Copies all of one storage into another, file by file; begun again it goes on where it was. Nothing is taken away. */
export async function* copyMedia(from: MediaStorage, to: MediaStorage): AsyncGenerator<CopiedMedia> {
  const known = new Map<string, StoredEntry>()
  for await (const entry of to.list()) known.set(entry.key, entry)
  for await (const entry of from.list()) {
    const there = known.get(entry.key)
    // Times of a storage are whole seconds.
    const current = there?.bytes === entry.bytes && there.modifiedAt.getTime() >= entry.modifiedAt.getTime() - 1_000
    const body = current ? null : await (await from.open(entry.key))?.read()
    if (body) await to.put(entry.key, body)
    yield { ...entry, copied: Boolean(body) }
  }
}
