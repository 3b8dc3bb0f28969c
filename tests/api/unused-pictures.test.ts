import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { notices } from '#api/modules/content/content.schema.ts'
import { picturesInImports } from '#api/modules/import-export/export-catalog.ts'
import { textPictures } from '#api/modules/media/pictures.ts'
import { removeUnusedPictures } from '#api/modules/privacy/retention.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import type { NoticeId } from '#contract/ids.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()

const arrange = async () => {
  const tenant = await createTenant(api)
  const staff = await tenant.createStaff('OWNER')
  const picture = async () => {
    const raw = { width: 700, height: 32, channels: 3 as const }
    const bytes = await sharp(randomBytes(700 * 32 * 3), { raw })
      .png()
      .toBuffer()
    const { url } = await staff.client.admin.addPicture({ file: new File([new Uint8Array(bytes)], 'one.png') })
    return url
  }
  const clean = () => removeUnusedPictures({ ...api.deps, picturesInImports }, { id: tenant.id })
  const stored = async (url: string) => {
    const stem = url.slice('/media/'.length).replace(/-\d+\.webp$/, '')
    let sizes = 0
    for await (const { key } of api.deps.storage.list(textPictures(tenant.id))) if (key.startsWith(stem)) sizes++
    return sizes
  }
  const tag = (url: string) => `<p><img src="${url}" alt=""></p>`
  return { tenant, staff, picture, clean, stored, tag }
}

test('uploaded pictures that nothing names are removed after thirty days, in all sizes', async () => {
  const { staff, picture, clean, stored, tag } = await arrange()
  const other = await arrange()
  const [unused, ofOther, ofDraft] = [await picture(), await other.picture(), await picture()]
  const ofTranslation = await picture()
  const draft = { title: 'Draft', pinned: false, startsAt: null, endsAt: null, isDraft: true }
  const { id, version } = await staff.client.admin.notices.create({ ...draft, body: tag(ofDraft) })
  await staff.withVersion(version).admin.notices.change({ id, translations: { ko: { body: tag(ofTranslation) } } })

  expect(await stored(unused)).toBe(3)
  await clean()
  expect(await stored(unused)).toBe(3)
  api.clock.advance(31 * dayMilliseconds)
  await clean()
  expect(await stored(unused)).toBe(0)
  expect(await stored(ofDraft)).toBe(3)
  expect(await stored(ofTranslation)).toBe(3)
  expect(await other.stored(ofOther)).toBe(3)
})

test('pictures of earlier versions of a text are kept', async () => {
  const { staff, picture, clean, stored, tag } = await arrange()
  const before = await picture()
  const plain = { title: 'New', pinned: false, startsAt: null, endsAt: null }
  const { id, version } = await staff.client.admin.notices.create({ ...plain, body: tag(before) })
  await staff.withVersion(version).admin.notices.change({ id, body: '<p>Nothing to see</p>' })
  api.clock.advance(31 * dayMilliseconds)
  await clean()
  expect(await stored(before)).toBe(3)
})

test('pictures that undoing an import shows again are kept while it can be undone', async () => {
  const { tenant, staff, picture, clean, stored, tag } = await arrange()
  const url = await picture()
  // Written by a command, so no earlier version names it.
  const id = '0199aaaa-0000-7000-8000-000000000001' as NoticeId
  await tenant.within((db) => db.insert(notices).values({ customerId: tenant.id, id, title: 'New', body: tag(url) }))
  await staff.client.admin.imports.create({
    table: 'notices',
    file: new File([`id,title,body\n${id},New,Nothing to see`], 'notices.csv'),
  })
  const [, hash = ''] = /\/([0-9a-f]{32})-/.exec(url) ?? []
  const inImports = () => tenant.within((db) => picturesInImports(db, tenant.id, textPictures(tenant.id)))
  expect(await inImports()).toEqual(new Set([hash]))
  api.clock.advance(31 * dayMilliseconds)
  expect((await tenant.within((db) => db.select().from(notices).where(eq(notices.id, id))))[0]?.body).not.toContain(url)
  await clean()
  expect(await stored(url)).toBe(3)
})
