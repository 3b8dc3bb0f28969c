import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import { apiBase } from '#contract/http.ts'
import { folderOf, quickCommandOf } from '#tests/support/command.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()
const run = quickCommandOf(api)
const timeout = 120_000
const example = 'docs/example-store'

const newCode = () => `n-${randomUUID().slice(0, 8)}`
const create = (code: string, ...more: string[]) =>
  run(['customer', 'create', '--code', code, '--name', 'Acme', '--timezone', 'UTC', '--by', 'Jo', ...more])

/** The stored text of a page: the API shows no drafts of a closed store. */
const draftOf = async (code: string, type: string) => {
  const { rows } = await api.owner.execute<{ title: string; body: string }>(sql`
    SELECT p.title, p.body FROM pages p JOIN customers c ON c.customer_id = p.customer_id WHERE c.code = ${code} AND p.type = ${type}`)
  return rows[0] ?? { title: '', body: '' }
}

test(
  'the drafts of a new store are in its language, marked as drafts, with placeholders',
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
        const { title, body } = await draftOf(code, type)
        expect(body).toContain('[DRAFT]')
        expect(body).toMatch(/\[FILL IN: [^\]]+\]/)
        // Without draft marks, tags and words that are Latin in every language, only the store's
        // language is left.
        const text = `${title} ${body}`.replace(/\[DRAFT\]|FILL IN|<[^>]+>/g, '')
        expect(text).toMatch(script)
        if (locale !== 'en') expect(text).not.toMatch(/\p{Script=Latin}/u)
      }
      const { out } = await run(['customer', 'check', code])
      for (const type of ['terms', 'privacy', 'refund', 'about'])
        expect(out).toContain(`The page ${type} is still a draft`)
    }
  },
  timeout,
)

/** Expects that no data of a store exist. */
const expectNoStore = async (code: string) => {
  expect(await resolveCustomer(api.deps, code)).toBeNull()
  expect((await run(['customers'])).out).not.toContain(code)
  const at = await api.fetch(new Request(`${api.origin}${apiBase}/tenants/resolve?host=${code}.example.com`))
  expect(await at.json()).toEqual({ customerCode: null })
}
const storedFiles = async () => {
  const keys: string[] = []
  for await (const { key } of api.deps.storage.list()) keys.push(key)
  return keys.sort()
}

test(
  'a store with wrong settings or a wrong table is not created, and is created once they are corrected',
  async () => {
    const code = newCode()
    const usual = ['--currency', 'KRW', '--locale', 'ko', '--host', `${code}.example.com`]
    const wrong = await folderOf({
      'settings.json': JSON.stringify({ theme: { accent: 'blue' }, base: { logoPublicUrl: 'no.svg' } }),
      'products.csv': 'code,title,kind,poster\nK100,A film,VDO,media/harbour.jpg\n',
      'media/harbour.jpg': await readFile('docs/example-store/media/harbour.jpg'),
    })
    const before = await storedFiles()
    const alone = await create(code, ...usual, '--from', join(wrong, 'settings.json'))
    expect(alone).toMatchObject({ code: 1, out: '' })
    expect(alone.err).toContain('settings.json, theme.accent: “blue” must be a color in the form #rrggbb')
    expect(alone.err).toContain('settings.json, base.logoPublicUrl: “no.svg” must be the path of a picture')
    expect(alone.err).toContain('No store was created: 2 things are wrong.')
    await expectNoStore(code)

    const both = await create(code, ...usual, '--from', wrong)
    expect(both).toMatchObject({ code: 1, out: '' })
    expect(both.err).toContain('settings, theme.accent: “blue” must be a color')
    expect(both.err).toContain('products.csv, row 2, kind: “VDO” must be PAY, FREE, VOD. Did you mean VOD?')
    expect(both.err).toContain('No store was created: 3 things are wrong.')
    await expectNoStore(code)
    expect(await storedFiles()).toEqual(before)

    const dry = await create(code, ...usual, '--from', example, '--dry-run')
    expect(dry).toMatchObject({ code: 0, err: '' })
    expect(dry.out).toMatch(/products\.csv\s+3\s+0\s+0/)
    await expectNoStore(code)
    expect(await storedFiles()).toEqual(before)

    const made = await create(code, ...usual, '--from', example)
    expect(made).toMatchObject({ code: 0, err: '' })
    expect(made.out).toMatch(/mqo_\S+/)
    await run(['customer', 'open', code, '--force'])
    // F100 has no video yet: it exists and is not listed.
    expect((await api.client(code).catalog.search({})).total).toBe(2)
    const settings = await api.client(code).tenancy.siteSettings()
    expect(settings).toMatchObject({ theme: { accent: '#1f6f5c' }, base: { currency: 'KRW', locale: 'ko' } })
    expect((await api.client(code).content.page({ type: 'terms' })).body).toContain('Acme Films Ltd.')
  },
  timeout,
)

test(
  'settings and tables of one import are saved together or not at all, and prices use the imported currency',
  async () => {
    const code = newCode()
    await create(code, '--currency', 'KRW')
    const folder = await folderOf({
      'settings.json': JSON.stringify({ base: { currency: 'USD', timeZone: 'America/New_York' } }),
      'products.csv': 'code,title,kind,sale_from\nK100,A film,VOD,2026-01-01\n',
      'options.csv': 'product,name,type,price\nK100,Own it,OWN,12.50\n',
    })
    const { id } = (await resolveCustomer(api.deps, code))!
    const name = `refuse_${code.replace('-', '_')}`
    const isOther = `customer_id <> '${id}' OR settings->'base'->>'currency' = 'KRW'`
    await api.owner.execute(`ALTER TABLE customers ADD CONSTRAINT ${name} CHECK (${isOther}) NOT VALID`)
    await expect(run(['catalog', 'import', folder, '-c', code])).rejects.toThrow('violates check constraint')
    await api.owner.execute(`ALTER TABLE customers DROP CONSTRAINT ${name}`)
    await run(['customer', 'open', code, '--force'])
    expect((await api.client(code).catalog.search({})).total).toBe(0)

    expect(await run(['catalog', 'import', folder, '-c', code])).toMatchObject({ code: 0, err: '' })
    const { rows: prices } = await api.owner.execute<{ amount: number }>(
      sql`SELECT price_amount AS amount FROM product_options WHERE customer_id = ${id}`,
    )
    expect(prices.map(({ amount }) => Number(amount))).toEqual([1250])
    expect((await api.client(code).tenancy.siteSettings()).base.currency).toBe('USD')
    const exported = await folderOf({})
    await run(['catalog', 'export', exported, '-c', code, '--tables', 'products'])
    expect(await readFile(join(exported, 'products.csv'), 'utf8')).toContain(',2026-01-01 00:00,')
    // Existing prices fix the currency, by command and by import.
    await writeFile(join(folder, 'settings.json'), '{"base":{"currency":"KRW"},"theme":{"accent":"#123456"}}')
    const refused = await run(['catalog', 'import', join(folder), '-c', code])
    expect(refused.err).toContain(
      'settings, base.currency: “KRW” cannot be changed from USD, because products or plans have prices in it.',
    )
    expect((await api.client(code).tenancy.siteSettings()).theme.accent).not.toBe('#123456')
  },
  timeout,
)
