import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import { quickCommandOf } from '#tests/support/command.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()
const run = quickCommandOf(api)
const timeout = 120_000
const settingsOf = async (code: string) => (await resolveCustomer(api.deps, code))!.settings

/** A store with an arranged category and a logo. */
const arrange = async () => {
  const tenant = await createTenant(api)
  const parent = await tenant.createCategory('Films')
  const { id } = await tenant.createCategory('Drama', parent)
  const folder = await mkdtemp(join(tmpdir(), 'marquee-settings-'))
  await writeFile(join(folder, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"></svg>')
  const set = (name: string, value: string) => run(['settings', 'set', name, value, '-c', tenant.code, '--by', 'Jo'])
  const section = { kind: 'CATEGORY', categoryId: id, title: 'Tears' }
  for (const [name, value] of [
    ['homeSections', JSON.stringify([{ kind: 'NEWEST' }, section])],
    ['menu', JSON.stringify([{ kind: 'CATEGORY', categoryId: id, hidden: true }])],
    ['base.logoPublicUrl', join(folder, 'logo.svg')],
  ] as const)
    expect(await set(name, value)).toMatchObject({ code: 0, err: '' })
  return { tenant, id, folder }
}

test(
  'an exported store names arranged categories by their paths and takes its logo along, so that a new store has both',
  async () => {
    const { tenant, id, folder } = await arrange()
    const path = join(folder, 'store')
    expect(await run(['catalog', 'export', path, '-c', tenant.code, '--media'])).toMatchObject({ code: 0, err: '' })
    const text = await readFile(join(path, 'settings.json'), 'utf8')
    expect(JSON.parse(text)).toMatchObject({
      homeSections: [{ kind: 'NEWEST' }, { kind: 'CATEGORY', category: 'Films > Drama', title: 'Tears' }],
      menu: [{ kind: 'CATEGORY', category: 'Films > Drama', hidden: true }],
      base: { logoPublicUrl: expect.stringMatching(/^media\/brand\//) },
    })
    expect(text).not.toContain(id)

    // A table that was written by hand, so that its categories have other ids.
    await writeFile(join(path, 'categories.csv'), 'category\nFilms\nFilms > Drama\n')
    const other = await createTenant(api)
    const dry = await run(['catalog', 'import', path, '-c', other.code, '--by', 'Jo', '--dry-run'])
    expect(dry).toMatchObject({ code: 0, err: '' })
    expect(dry.out).toContain('homeSections')
    expect((await settingsOf(other.code)).homeSections ?? null).toBeNull()
    expect(await run(['catalog', 'import', path, '-c', other.code, '--by', 'Jo'])).toMatchObject({ code: 0, err: '' })
    const code = `${other.code}-new`
    const start = ['--name', 'Acme', '--currency', 'USD', '--timezone', 'UTC', '--by', 'Jo', '--from', path]
    expect(await run(['customer', 'create', '--code', code, ...start])).toMatchObject({ code: 0, err: '' })
    for (const store of [other.code, code]) {
      const { homeSections, menu, base } = await settingsOf(store)
      const [, section] = homeSections ?? []
      const categoryId = section?.kind === 'CATEGORY' ? section.categoryId : id
      expect(categoryId).not.toBe(id)
      expect(section).toMatchObject({ kind: 'CATEGORY', title: 'Tears' })
      expect(menu).toEqual([{ kind: 'CATEGORY', categoryId, hidden: true }])
      const { id: storeId } = (await resolveCustomer(api.deps, store))!
      expect(base.logoPublicUrl).toContain(`/media/brand/${storeId}/`)
    }
    // Importing it where it is from changes nothing.
    const again = await run(['catalog', 'import', path, '-c', tenant.code, '--by', 'Jo'])
    expect(again.out).not.toContain('homeSections:')
  },
  timeout,
)

test(
  'a category that the store does not have is told as a problem of its cell, and nothing is changed',
  async () => {
    const { tenant, id, folder } = await arrange()
    const file = join(folder, 'settings.json')
    const exported = await run(['settings', 'export', file, '-c', tenant.code])
    expect(exported).toMatchObject({ code: 0, err: '' })
    const settings = JSON.parse(await readFile(file, 'utf8'))
    expect(await run(['settings', 'import', file, '-c', tenant.code, '--by', 'Jo'])).toMatchObject({ code: 0 })
    expect((await settingsOf(tenant.code)).menu).toEqual([{ kind: 'CATEGORY', categoryId: id, hidden: true }])

    settings.menu[0].category = 'Films > Dramas'
    settings.theme.accent = '#123456'
    await writeFile(file, JSON.stringify(settings))
    const problem = 'menu[0].category: “Films > Dramas” must be a category of the store: there is none.'
    const wrong = await run(['settings', 'import', file, '-c', tenant.code, '--by', 'Jo'])
    expect(wrong.code).toBe(1)
    expect(wrong.err).toContain(problem)
    expect(wrong.err).toContain('Did you mean Films > Drama?')
    const whole = await run(['catalog', 'import', folder, '-c', tenant.code, '--by', 'Jo'])
    expect(whole.code).toBe(1)
    expect(whole.err).toContain(problem)
    expect((await settingsOf(tenant.code)).theme.accent).not.toBe('#123456')

    // A file that names the id of another store.
    const { id: foreign } = await (await createTenant(api)).createCategory('Films')
    await writeFile(file, JSON.stringify({ homeSections: [{ kind: 'CATEGORY', categoryId: foreign }] }))
    expect((await run(['settings', 'import', file, '-c', tenant.code, '--by', 'Jo'])).err).toContain(
      'homeSections[0].categoryId',
    )
  },
  timeout,
)
