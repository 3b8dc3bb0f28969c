import { readFile } from 'node:fs/promises'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { entitlements } from '#api/modules/entitlements/entitlements.schema.ts'
import type { MediaKey } from '#api/platform/storage/storage.ts'
import { buy } from '#tests/support/buying.ts'
import { addAttachment, askAt, asMember, createFilm, openMedia } from '#tests/support/media.ts'
import { installNginx, startNginxOf } from '#tests/support/nginx.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const missing = await installNginx()
if (missing) {
  console.warn(`Skipped: ${missing}`)
  test.skip(missing, () => undefined)
}

/** The configuration in the guide, with the addresses of this run. */
const configurationOf = (guide: string, marquee: number) => (folder: string, port: number) => {
  const [, configuration = ''] = /## A cache in front\n[\s\S]*?```nginx\n([\s\S]*?)```/.exec(guide) ?? []
  const replacements = {
    '/var/cache/nginx/media': `${folder}/media`,
    '127.0.0.1:3000': `127.0.0.1:${marquee}`,
    '127.0.0.1:8080': `127.0.0.1:${port}`,
  }
  return Object.entries(replacements).reduce((text, [given, own]) => {
    expect(text.split(given)).toHaveLength(2)
    return text.replace(given, own)
  }, configuration)
}

describe.skipIf(missing !== null)('nginx as a media cache, configured as in docs/guides/media.md', async () => {
  if (missing) return
  const api = createTestApi({ trustedProxies: ['127.0.0.1'] })
  const media = await openMedia(api)
  const nginx = await startNginxOf(configurationOf(await readFile('docs/guides/media.md', 'utf8'), media.port))
  afterAll(() => nginx[Symbol.asyncDispose]())
  const get = askAt(nginx.port)
  const { storage } = api.deps

  const bytes = Buffer.alloc(300_000, 'the same again ')
  const arrange = async () => {
    const tenant = await createTenant(api)
    const product = await createFilm(tenant)
    const { asset } = product.video
    await storage.put(`${asset}/master.m3u8` as MediaKey, Buffer.from('#EXTM3U'))
    await storage.put(`${asset}/720p/seg_0001.m4s` as MediaKey, bytes)
    const viewer = async () => {
      const member = await tenant.createMember()
      await buy(api, tenant, member, product)
      const { manifestUrl } = await member.client.playback.startPlayback({ id: product.id })
      const segment = manifestUrl.replace('master.m3u8', '720p/seg_0001.m4s')
      const as = asMember(member.token)
      return {
        member,
        manifestUrl,
        segment,
        as,
        requestSegment: (more = {}, method = 'GET') => get(segment, { ...as, ...more }, method),
      }
    }
    return { tenant, product, asset: asset as MediaKey, viewer }
  }

  test('a segment cached for one viewer is served to every viewer without reading the storage', async () => {
    const { asset, viewer } = await arrange()
    const [first, second] = [await viewer(), await viewer()]
    expect(first.segment).not.toBe(second.segment)
    const filled = await first.requestSegment()
    expect(filled).toMatchObject({ status: 200, headers: { 'x-cache': 'MISS', 'content-type': 'video/iso.segment' } })
    expect(filled.headers['cache-control']).toBe('private, max-age=31536000, immutable')
    expect(filled.headers['content-security-policy']).toContain('sandbox')
    expect((await get(first.manifestUrl, first.as)).headers['cache-control']).toBe('private, max-age=60')

    await storage.remove(asset)
    for (const { requestSegment } of [first, second]) {
      const cached = await requestSegment()
      expect(cached).toMatchObject({ status: 200, headers: { 'x-cache': 'HIT', etag: filled.headers.etag } })
      expect(cached.bytes).toEqual(bytes)
      expect(cached.headers['cache-control']).toBe('private, max-age=31536000, immutable')
      expect(cached.headers['set-cookie']).toBeUndefined()
    }
  })

  test('a cached segment is refused to strangers, after a refund and after signing out', async () => {
    const { tenant, viewer } = await arrange()
    const [first, second, third] = [await viewer(), await viewer(), await viewer()]
    for (const { requestSegment } of [first, second, third]) expect((await requestSegment()).status).toBe(200)
    const stranger = asMember((await tenant.createMember()).token)
    for (const headers of [{}, stranger, second.as]) {
      const refused = await get(first.segment, headers)
      expect([refused.status, refused.bytes.includes('the same again')]).toEqual([403, false])
    }
    await tenant.within((db) =>
      db
        .update(entitlements)
        .set({ revokedAt: new Date().toISOString() })
        .where(eq(entitlements.memberId, first.member.id)),
    )
    await second.member.client.identity.logout()
    for (const { requestSegment } of [first, second])
      for (const more of [{}, { range: 'bytes=0-9' }, { 'if-none-match': '*' }])
        expect((await requestSegment(more)).status).toBe(403)
    expect((await second.requestSegment({}, 'HEAD')).status).toBe(403)
    expect(await third.requestSegment()).toMatchObject({ status: 200, headers: { 'x-cache': 'HIT' } })
  })

  test('range, HEAD and conditional requests are answered from the cache, filled by a range too', async () => {
    const { viewer } = await arrange()
    const { requestSegment } = await viewer()
    const part = await requestSegment({ range: 'bytes=100-199' })
    expect(part).toMatchObject({ status: 206, headers: { 'x-cache': 'MISS', 'content-range': 'bytes 100-199/300000' } })
    expect(part.bytes).toEqual(bytes.subarray(100, 200))
    const whole = await requestSegment()
    expect(whole).toMatchObject({ status: 200, headers: { 'x-cache': 'HIT', 'content-length': '300000' } })
    expect(whole.bytes).toEqual(bytes)
    const etag = whole.headers.etag ?? ''
    expect(etag).toMatch(/^"[^"]+"$/)

    const tail = await requestSegment({ range: 'bytes=-7', 'if-range': etag })
    expect([tail.status, tail.headers['x-cache'], tail.bytes]).toEqual([206, 'HIT', bytes.subarray(-7)])
    expect(await requestSegment({ range: 'bytes=0-9', 'if-range': '"another"' })).toMatchObject({ status: 200 })
    expect(await requestSegment({ range: 'bytes=300000-' })).toMatchObject({ status: 416 })
    expect(await requestSegment({ 'if-none-match': etag })).toMatchObject({ status: 304, text: '' })
    const head = await requestSegment({}, 'HEAD')
    expect(head).toMatchObject({
      status: 200,
      text: '',
      headers: { 'x-cache': 'HIT', 'content-length': '300000', etag },
    })
  })

  test('concurrent requests for a segment read the storage once', async () => {
    const { viewer } = await arrange()
    const viewers = [await viewer(), await viewer(), await viewer()]
    const opened = vi.spyOn(storage, 'open')
    const answers = await Promise.all(Array.from({ length: 24 }, (_, at) => viewers[at % 3]!.requestSegment()))
    for (const answer of answers) expect([answer.status, answer.bytes.equals(bytes)]).toEqual([200, true])
    expect(opened).toHaveBeenCalledTimes(1)
    opened.mockRestore()
  })

  test('missing files and downloads are not cached, and invalid paths are refused', async () => {
    const { tenant, product, asset, viewer } = await arrange()
    const { member, segment, as } = await viewer()
    const later = segment.replace('seg_0001', 'seg_0002')
    expect((await get(later, as)).status).toBe(404)
    await storage.put(`${asset}/720p/seg_0002.m4s` as MediaKey, bytes)
    expect((await get(later, as)).status).toBe(200)
    for (const path of ['/m/x', '/m/a.b.c/video/x/y.m4s', segment.replace('/720p/', '/../720p/'), `${segment}/%2e%2e`])
      expect([path, [403, 404].includes((await get(path, as)).status)]).toEqual([path, true])

    await media.write('attachment/notes/book.pdf', '%PDF-')
    for (const name of ['강의 노트.pdf', 'notes.pdf']) {
      const attachmentId = await addAttachment(tenant, product.id, name, 'attachment/notes/book.pdf')
      const { url } = await member.client.catalog.confirmAttachment({ id: product.id, attachmentId })
      for (let time = 0; time < 2; time++) {
        const file = await get(url, as)
        expect(file).toMatchObject({ status: 200, text: '%PDF-', headers: { 'x-cache': 'BYPASS' } })
        expect(file.headers['content-disposition']).toContain(encodeURIComponent(name))
        expect(file.headers['cache-control']).toBe('private, no-store')
      }
    }
  })

  test('pictures and previews are cached for all viewers', async () => {
    const { tenant, product, asset } = await arrange()
    await media.write('art/poster.webp', 'poster')
    await media.write(`${asset}-preview/master.m3u8`, '#EXTM3U preview')
    const { manifestUrl } = await tenant.guest.playback.preview({ id: product.id, previewId: product.video.id })
    for (const state of ['MISS', 'HIT'])
      for (const [path, text] of [
        ['/media/art/poster.webp', 'poster'],
        [manifestUrl, '#EXTM3U preview'],
      ] as const)
        expect(await get(path)).toMatchObject({ status: 200, text, headers: { 'x-cache': state } })
  })
})
