import { readFile } from 'node:fs/promises'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { attachments, videos } from '#api/modules/catalog/catalog.schema.ts'
import { newId } from '#api/platform/db/columns.ts'
import { eachOf } from '#api/platform/storage/copy-media.ts'
import type { MediaKey } from '#api/platform/storage/storage.ts'
import type { AttachmentId, ProductId, VideoId } from '#contract/ids.ts'
import { cleanUp } from '#tests/support/background-tasks.ts'
import { buy } from '#tests/support/buying.ts'
import { folderOf, quickCommandOf } from '#tests/support/command.ts'
import { addAttachment, asMember, openMedia } from '#tests/support/media.ts'
import { plainSettings } from '#tests/support/settings.ts'
import { installSwift, startSwift, swiftPage } from '#tests/support/swift.ts'
import { createTenant, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

/** RFC 6266: an ASCII name as a token or quoted, and the full name where it is not ASCII. */
const dispositionShape =
  /^attachment; filename=(?<plain>"[\x20-\x21\x23-\x5b\x5d-\x7e]+"|[A-Za-z0-9!#$&+.^_`|~-]+)(?:; filename\*=UTF-8''(?<encoded>[A-Za-z0-9!#$&+.^_`|~%-]+))?$/

const missing = await installSwift()
if (missing) {
  console.warn(`Skipped: ${missing}`)
  test.skip(missing, () => undefined)
}

const csv = (...rows: string[][]) =>
  rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join()).join('\r\n')

const sixHoursAndMore = 6.5 * 3_600_000

describe.skipIf(missing !== null)('files in an S3 storage', { timeout: 480_000 }, async () => {
  if (missing) return
  const swift = await startSwift()
  afterAll(() => swift[Symbol.asyncDispose]())
  const api = createTestApi({ mediaStorage: swift.place })
  const media = await openMedia(api)
  const { storage } = api.deps
  const keysBelow = async (prefix: string) => {
    const keys: string[] = []
    for await (const { key } of storage.list(prefix as MediaKey)) keys.push(key)
    return keys
  }
  const inBucket = (name: string) => swift.bucket.putObject(`${swift.place.prefix}/${name}`, 'x', 'video/iso.segment')

  /** A video that was replaced just now, with this many files. */
  const retire = async (tenant: Tenant, productId: ProductId, files: number) => {
    const id = newId<VideoId>()
    const asset = `video/${id}`
    await tenant.within((db) =>
      db.insert(videos).values({
        customerId: tenant.id,
        id,
        asset,
        durationSeconds: 100,
        previewAsset: `${asset}-preview`,
        retiredAt: api.clock.now().toISOString(),
        retiredFrom: productId,
      }),
    )
    const names = Array.from({ length: files }, (_, part) => `${asset}/720p/seg_${String(part).padStart(4, '0')}.m4s`)
    await eachOf(names, 12, inBucket)
    return { id, asset, names }
  }
  const isKnown = (tenant: Tenant, id: VideoId) =>
    tenant.within(async (db) => (await db.$count(videos, eq(videos.id, id))) > 0)

  test('of a long replaced film are all removed, page after page, and no others', async () => {
    const tenant = await createTenant(api)
    const { id: productId } = await tenant.createProduct()
    const { id, asset, names } = await retire(tenant, productId, 2 * swiftPage + 3)
    const beside = [`${asset}0/seg.m4s`, `video/other/${id}/seg.m4s`]
    const foreignNames = [`${asset}/강의 'one' & "two" <3>.mp4`, `${asset}/720p/seg 1.m4s`]
    await eachOf([`${asset}-preview/master.m3u8`, `poster/${id}/1.webp`, ...beside], 4, inBucket)
    await eachOf(foreignNames, 1, inBucket)

    expect((await keysBelow(asset)).toSorted()).toEqual(names)
    await cleanUp(api, tenant)
    expect(await keysBelow(asset)).toHaveLength(names.length)
    api.clock.advance(sixHoursAndMore)
    await cleanUp(api, tenant)
    for (const prefix of [asset, `${asset}-preview`, `poster/${id}`]) expect(await keysBelow(prefix)).toEqual([])
    expect(await isKnown(tenant, id)).toBe(false)
    for (const name of beside) expect((await storage.open(name as MediaKey))?.bytes).toBe(1)
    // Files of other programs, under names that the store never uses, are not removed.
    for (const name of foreignNames)
      expect([name, await swift.bucket.objectExists(`${swift.place.prefix}/${name}`)]).toEqual([name, true])
  })

  test('that could not be removed during an outage are removed by a later run', async () => {
    const tenant = await createTenant(api)
    const { id: productId } = await tenant.createProduct()
    const { id, asset } = await retire(tenant, productId, 3)
    api.clock.advance(sixHoursAndMore)
    await swift.halt()
    await expect(cleanUp(api, tenant)).rejects.toThrow()
    expect(await isKnown(tenant, id)).toBe(true)
    await swift.resume()
    // After a failure the storage is tried again only after an interval.
    await vi.waitFor(() => cleanUp(api, tenant), { timeout: 30_000, interval: 250 })
    expect([await isKnown(tenant, id), await keysBelow(asset)]).toEqual([false, []])
  })

  const hostile = [
    '강의 노트 "1".pdf',
    "it's 100% (true); filename=evil.exe.pdf",
    '../../../etc/passwd',
    '..\\..\\windows\\system32\\evil.dll',
    'a.pdf\r\nSet-Cookie: token=stolen\r\n\r\n<html>',
    'a"; filename*=UTF-8\'\'evil.exe; x="',
    '\u202efdp.exe',
    '.htaccess',
    '%2e%2e%2f%00secret.pdf',
    '<script>alert(1)</script>.html',
    '   ',
    '...',
    `${'x'.repeat(178)}🎬🎬.pdf`,
    `${'강'.repeat(300)}.pdf`,
    'e\u0301cole \u{1f3ac}.mp4',
  ]

  test('of attachments are served under safe names, with the right extension where possible', async () => {
    const tenant = await createTenant(api)
    const member = await tenant.createMember()
    const product = await tenant.createProduct({ kind: 'PAY' })
    await buy(api, tenant, member, product)
    await media.write('attachment/notes/book.pdf', '%PDF-')
    const seen = new Map<string, string>()
    for (const name of hostile) {
      const attachmentId = await addAttachment(tenant, product.id, name, 'attachment/notes/book.pdf')
      const { url } = await member.client.catalog.confirmAttachment({ id: product.id, attachmentId })
      const file = await media.get(url, asMember(member.token))
      expect([name, file.status, file.text]).toEqual([name, 200, '%PDF-'])
      expect(file.headers['set-cookie']).toBeUndefined()
      expect(file.headers['content-security-policy']).toContain('sandbox')
      const disposition = file.headers['content-disposition'] ?? ''
      const { plain = '', encoded } = dispositionShape.exec(disposition)?.groups ?? {}
      const filename = encoded === undefined ? plain.replace(/^"|"$/g, '') : decodeURIComponent(encoded)
      for (const one of [plain.replace(/^"|"$/g, ''), filename])
        expect([name, one]).toEqual([name, expect.stringMatching(/^[^./\\"][^/\\":]*$/)])
      expect(filename).not.toMatch(/[\p{Cc}\p{Cf}]/u)
      expect(filename.length).toBeLessThanOrEqual(180)
      seen.set(name, filename)
    }
    expect(seen.get('강의 노트 "1".pdf')).toBe('강의 노트 _1_.pdf')
    expect(seen.get("it's 100% (true); filename=evil.exe.pdf")).toBe("it's 100% (true); filename=evil.exe.pdf")
    expect(seen.get('   ')).toBe('file')
    expect(seen.get(`${'강'.repeat(300)}.pdf`)).toBe(`${'강'.repeat(176)}.pdf`)
    expect(seen.get('e\u0301cole \u{1f3ac}.mp4')).toBe('\u00e9cole \u{1f3ac}.mp4')
  })

  test('of a catalogue are imported and exported again, whatever their names are', async () => {
    const settings = plainSettings()
    const tenant = await createTenant(api, { settings })
    const name = `강의 노트 "1" & 'zwei' <3>.pdf`
    const [picture, file] = [`media/풍경 'one' & "two" 100%.jpg`, `media/${name}`]
    const folder = await folderOf({
      'products.csv': csv(['code', 'title', 'kind', 'poster'], ['K100', '수업', 'FREE', picture]),
      'attachments.csv': csv(['product', 'name', 'file'], ['K100', name, file]),
      [picture]: await readFile('docs/example-store/media/harbour.jpg'),
      [file]: '%PDF-',
    })
    const env = {
      MEDIA_S3_ENDPOINT: swift.place.endpoint,
      MEDIA_S3_BUCKET: swift.place.bucket,
      MEDIA_S3_ACCESS_KEY: swift.place.accessKey,
      MEDIA_S3_SECRET_KEY: swift.place.secretKey,
      MEDIA_S3_PREFIX: swift.place.prefix,
    }
    const command = quickCommandOf(api, { env })
    expect(await command(['catalog', 'import', folder, '-c', tenant.code])).toMatchObject({ code: 0, err: '' })
    expect(await keysBelow(`file/${tenant.id}`)).toEqual([expect.stringMatching(/\/[\w-]+\.pdf$/)])
    const { id, poster } = await tenant.guest.catalog.product({ id: 'K100' })
    expect((await media.get(poster.url)).headers['content-type']).toBe('image/webp')

    const out = await folderOf({})
    expect(await command(['catalog', 'export', out, '-c', tenant.code, '--media'])).toMatchObject({ code: 0, err: '' })
    const again = await command(['catalog', 'import', out, '-c', tenant.code])
    expect(again).toMatchObject({ code: 0, err: '' })
    expect(again.out).toMatch(/attachments\.csv\s+0\s+0\s+1\s+0/)
    const member = await tenant.createMember()
    const { items } = await member.client.catalog.attachments({ id })
    expect(items).toMatchObject([{ name }])
  })

  test('sent by members are served under safe names', async () => {
    const tenant = await createTenant(api)
    const member = await tenant.createMember()
    for (const name of hostile.filter((one) => one.length < 100)) {
      const sent = await member.client.support.sendFile({ file: new File(['what I saw'], name) })
      const file = await media.get(sent.url ?? '', asMember(member.token))
      expect([name, file.status, file.text]).toEqual([name, 200, 'what I saw'])
      expect(file.headers['content-disposition']).toMatch(dispositionShape)
    }
  })

  test('of attachments are never read outside the storage’s root, by row or by address', async () => {
    const tenant = await createTenant(api)
    const member = await tenant.createMember()
    const product = await tenant.createProduct({ kind: 'PAY' })
    await buy(api, tenant, member, product)
    await swift.bucket.putObject('secret.txt', 'secret')
    await swift.bucket.putObject(`${swift.place.prefix}/video/secret.txt`, 'secret')
    const attachmentId = await addAttachment(tenant, product.id, 'notes.pdf', 'attachment/notes/book.pdf')
    await media.write('attachment/notes/book.pdf', '%PDF-')
    const { url } = await member.client.catalog.confirmAttachment({ id: product.id, attachmentId })
    const open = (path: string) => media.get(path, asMember(member.token))
    for (const path of [
      '/..',
      '/../..',
      '/../../../secret.txt',
      '/%2e%2e/secret.txt',
      '/..%2f..%2fvideo/secret.txt',
      '/.',
    ]) {
      const answer = await open(url + path)
      expect([path, [403, 404].includes(answer.status), answer.text]).toEqual([path, true, ''])
    }
    for (const asset of [
      '../../secret.txt',
      'attachment/../../../secret.txt',
      'attachment/..%2fsecret.txt',
      '/video/secret.txt',
      'attachment//video/secret.txt',
      'attachment/강의 노트.pdf',
      '',
    ]) {
      await tenant.within((db) =>
        db
          .update(attachments)
          .set({ asset })
          .where(eq(attachments.id, attachmentId as AttachmentId)),
      )
      expect([asset, (await open(url)).status]).toEqual([asset, 403])
    }
  })
})
