import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { quickCommandOf } from '#tests/support/command.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()
const run = quickCommandOf(api)
const patience = 120_000

const newCode = () => `n-${randomUUID().slice(0, 8)}`
const create = (code: string, ...more: string[]) =>
  run(['customer', 'create', '--code', code, '--name', 'Acme', '--timezone', 'UTC', '--by', 'Jo', ...more])

test(
  'the drafts of a new store are in its language, each with its mark and its gaps',
  async () => {
    for (const [locale, script] of [
      ['en', /\p{Script=Latin}/u],
      ['ko', /\p{Script=Hangul}/u],
      ['ja', /\p{Script=Hiragana}/u],
      ['ar', /\p{Script=Arabic}/u],
    ] as const) {
      const code = newCode()
      expect((await create(code, '--currency', 'USD', '--locale', locale)).code).toBe(0)
      for (const type of ['terms', 'privacy', 'refund', 'about']) {
        const { title, body } = await api.client(code).content.page({ type })
        expect(body).toContain('[DRAFT]')
        expect(body).toMatch(/\[FILL IN: [^\]]+\]/)
        // Without marks, tags and what is Latin in every language nothing is left but the store's own.
        const words = `${title} ${body}`.replace(/\[DRAFT\]|FILL IN|<[^>]+>/g, '')
        expect(words).toMatch(script)
        if (locale !== 'en') expect(words).not.toMatch(/\p{Script=Latin}/u)
      }
      const { out } = await run(['customer', 'check', code])
      for (const type of ['terms', 'privacy', 'refund', 'about'])
        expect(out).toContain(`The page ${type} is still a draft`)
    }
  },
  patience,
)
