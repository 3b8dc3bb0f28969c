import { createHash } from 'node:crypto'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { products } from '#api/modules/catalog/catalog.schema.ts'
import { videoJobs } from '#api/modules/media/media.schema.ts'
import { folderOf, quickCommandOf } from '#tests/support/command.ts'
import { asMember, openMedia } from '#tests/support/media.ts'
import { installSwift, startSwift } from '#tests/support/swift.ts'
import { createTenant, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'
import { makeFilm } from '#tests/support/video-files.ts'
import { videosOf } from '#tests/support/video-jobs.ts'

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const table = (...rows: readonly (readonly string[])[]) => rows.map((row) => `${row.join(',')}\n`).join('')
const example = (name: string) => readFile(join('docs/example-store/media', name))

const missing = await installSwift()
if (missing) {
  console.warn(`Skipped: ${missing}`)
  test.skip(missing, () => undefined)
}

describe.skipIf(missing !== null)('Import and export with S3 storage', { timeout: 240_000 }, async () => {
  if (missing) return
  const swift = await startSwift()
  afterAll(() => swift[Symbol.asyncDispose]())
  const { place, bucket } = swift
  for (const [name, value] of Object.entries({
    ENDPOINT: place.endpoint,
    BUCKET: place.bucket,
    REGION: place.region,
    PREFIX: place.prefix,
    ACCESS_KEY: place.accessKey,
    SECRET_KEY: place.secretKey,
  }))
    vi.stubEnv(`MEDIA_S3_${name}`, value)
  afterAll(() => void vi.unstubAllEnvs())
  const api = createTestApi({ mediaStorage: place })
  const media = await openMedia(api)
  const run = quickCommandOf(api)

  const importInto = (tenant: Tenant, path: string, ...more: string[]) =>
    run(['catalog', 'import', path, '-c', tenant.code, '--by', 'Jo', ...more])
  const objectKeyOf = (key: string) => `${place.prefix}/${key}`
  /** The keys of a store’s catalogue in the bucket, read without the program. */
  const objectsOf = async (tenant: Tenant) => {
    const keys: string[] = []
    for (const kind of ['posters', 'file', 'public'])
      for (const { Key } of (await bucket.listObjects('/', objectKeyOf(`${kind}/${tenant.id}/`))) ?? []) keys.push(Key)
    return keys.map((key) => key.slice(objectKeyOf('').length)).sort()
  }
  const bytesOf = async (key: string) => new Uint8Array((await bucket.getObjectArrayBuffer(objectKeyOf(key)))!)

  test('an import uploads pictures, downloads and films once, and an export returns them unchanged', async () => {
    const film = await readFile(makeFilm('tide.mp4', { size: '160x90' }))
    const workbook = await example('workbook.pdf')
    const folder = await folderOf({
      'products.csv': table(
        ['code', 'title', 'kind', 'access', 'poster', 'video', 'video_captions'],
        ['K1', 'The tide', 'FREE', 'FREE', 'media/harbour.jpg', 'tide.mp4', 'en=tide.en.srt'],
      ),
      'attachments.csv': table(['product', 'name', 'file'], ['K1', 'Workbook.pdf', 'media/workbook.pdf']),
      'media/harbour.jpg': await example('harbour.jpg'),
      'media/workbook.pdf': workbook,
      'tide.mp4': film,
      'tide.en.srt': '1\n00:00:00,000 --> 00:00:01,500\nThe tide turns\n',
    })
    const tenant = await createTenant(api)
    expect((await importInto(tenant, folder, '--dry-run')).out).toContain('Dry run:')
    expect(await objectsOf(tenant)).toEqual([])
    expect(await importInto(tenant, folder, '--keep-sources')).toMatchObject({ code: 0, err: '' })
    const keys = await objectsOf(tenant)
    const fileKey = keys.find((key) => key.startsWith('file/'))!
    expect(digest(await bytesOf(fileKey))).toBe(digest(workbook))
    expect(keys.filter((key) => /-\d+\.webp$/.test(key)).length).toBeGreaterThan(1)

    // An object that is uploaded again would lose its replaced content.
    const contents = new Map<string, Uint8Array>()
    for (const key of keys.filter((one) => !one.endsWith('.json'))) {
      contents.set(key, await bytesOf(key))
      await bucket.putObject(objectKeyOf(key), 'replaced')
    }
    expect((await importInto(tenant, folder)).out).toMatch(/attachments\.csv\s+0\s+0\s+1\s+0/)
    expect(await objectsOf(tenant)).toEqual(keys)
    for (const [key, bytes] of contents) {
      expect([key, Buffer.from(await bytesOf(key)).toString()]).toEqual([key, 'replaced'])
      await bucket.putObject(objectKeyOf(key), Buffer.from(bytes))
    }

    const { work } = await videosOf(api, tenant)
    await work(async () =>
      (await tenant.within((db) => db.select().from(videoJobs))).every(({ endedAt }) => endedAt !== null),
    )
    const { id } = await tenant.guest.catalog.product({ id: 'K1' })
    const played = await tenant.guest.playback.startPlayback({ id })
    expect((await media.get(played.captions[0]?.url ?? '')).text).toContain('The tide turns')

    const out = await mkdtemp(join(tmpdir(), 'marquee-export-'))
    expect(await run(['catalog', 'export', out, '-c', tenant.code, '--media', '--videos'])).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringContaining('Films exported: 1'),
    })
    const cells = await readFile(join(out, 'products.csv'), 'utf8')
    const poster = /media\/(posters\/[^,\s]+\.webp)/.exec(cells)![1]!
    expect(digest(await readFile(join(out, 'media', poster)))).toBe(digest(contents.get(poster)!))
    expect(digest(await readFile(join(out, 'media', fileKey)))).toBe(digest(workbook))
    const filmPath = /films\/[^,\s]+tide\.mp4/.exec(cells)![0]
    expect(digest(await readFile(join(out, filmPath)))).toBe(digest(film))
    // Imported into the same store, the export changes nothing and stores nothing.
    expect((await importInto(tenant, out)).out).toMatch(/products\.csv\s+0\s+0\s+1\s+0/)
    expect(await objectsOf(tenant)).toEqual(keys)

    const copy = await createTenant(api)
    expect(await importInto(copy, out)).toMatchObject({ code: 0, err: '' })
    const member = await copy.createMember()
    const moved = await member.client.catalog.product({ id: 'K1' })
    const { items } = await member.client.catalog.attachments({ id: moved.id })
    const { url } = await member.client.catalog.confirmAttachment({ id: moved.id, attachmentId: items[0]!.id })
    expect(digest((await media.get(url, asMember(member.token))).bytes)).toBe(digest(workbook))
    expect((await media.get(moved.poster.url)).headers['content-type']).toBe('image/webp')
  })

  const manyPictures = async (count: number, rows: readonly (readonly string[])[] = []) => {
    const harbour = await example('harbour.jpg')
    const names = Array.from({ length: count }, (_, at) => `media/${at}.jpg`)
    return folderOf({
      'products.csv': table(
        ['code', 'title', 'kind', 'poster'],
        ...names.map((name, at) => [`P${at}`, `Picture ${at}`, 'VOD', name]),
        ...rows,
      ),
      // The files differ, the pictures do not: data after the end of a picture is ignored.
      ...Object.fromEntries(names.map((name, at) => [name, Buffer.concat([harbour, Buffer.from(`${at}`)])])),
    })
  }

  test('a refused import leaves nothing in the storage', async () => {
    const tenant = await createTenant(api)
    const refused = await importInto(tenant, await manyPictures(2, [['P9', '', 'VOD', 'media/0.jpg']]))
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('products.csv, row 4, title') })
    expect(await objectsOf(tenant)).toEqual([])
  })

  test('an import saves nothing and names the storage when the storage fails during it', async () => {
    const tenant = await createTenant(api)
    const folder = await manyPictures(12)
    const importing = importInto(tenant, folder)
    while ((await objectsOf(tenant)).length < 3);
    await swift.halt()
    const { code, err } = await importing
    expect(code).toBe(1)
    expect(err).toMatch(/^The media storage does not answer.* Nothing was imported\./)
    expect(err).not.toContain('must be')
    expect((await tenant.guest.catalog.search({})).total).toBe(0)

    await swift.resume()
    expect(await importInto(tenant, folder)).toMatchObject({ code: 0, err: '' })
    const items = await tenant.within((db) => db.select({ poster: products.poster }).from(products))
    expect(items).toHaveLength(12)
    for (const { poster } of items)
      for (const { url } of poster.sources) expect([url, (await media.get(url)).status]).toEqual([url, 200])
    const shown = items.flatMap(({ poster }) => poster.sources.map(({ url }) => url.slice('/media/'.length)))
    const stored = (await objectsOf(tenant)).filter((key) => /-\d+\.webp$/.test(key))
    expect(stored).toEqual([...new Set(shown)].sort())
  })
})
