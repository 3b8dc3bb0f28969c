import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import journal from '#api/platform/db/migrations/meta/_journal.json' with { type: 'json' }

const folder = 'api/platform/db/migrations'

test('only the last migration has a snapshot: the generator compares with no other', () => {
  const tags = readdirSync(folder).filter((file) => file.endsWith('.sql'))
  expect(journal.entries.map(({ tag }) => `${tag}.sql`)).toEqual(tags.sort())
  const last = tags.at(-1)?.slice(0, 4)
  expect(readdirSync(`${folder}/meta`).sort()).toEqual([`${last}_snapshot.json`, '_journal.json'])
})
