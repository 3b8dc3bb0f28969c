import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import { entitlements } from '#api/modules/entitlements/entitlements.schema.ts'
import type { MediaKey } from '#api/platform/storage/storage.ts'
import { buy } from '#tests/support/buying.ts'
import { blockOf, readDocument } from '#tests/support/documents.ts'
import { addAttachment, askAt, asMember, createFilm, openMedia } from '#tests/support/media.ts'
import { installNginx, startNginx } from '#tests/support/nginx.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const missing = await installNginx()
if (missing) {
  console.warn(`Skipped: ${missing}`)
  test.skip(missing, () => undefined)
}

describe.skipIf(missing !== null)('nginx as a media proxy', async () => {
  if (missing) return
  const api = createTestApi({ mediaAccel: '/stored-media/', trustedProxies: ['127.0.0.1'] })
  const media = await openMedia(api)
  const folder = `${api.deps.dataFolder}/media`
  const headers = `
    add_header X-Sent-By nginx;
    add_header X-Content-Type-Options nosniff;
    add_header Content-Security-Policy "default-src 'none'; style-src 'unsafe-inline'; sandbox";`
  const ofGuide = blockOf(readDocument('guides/media.md'), 'nginx', 'alias /var/lib/marquee-data/media/;')
  const redirected = await startNginx(`
    location / { proxy_pass http://127.0.0.1:${media.port}; }
    ${ofGuide.replace('/var/lib/marquee-data/media', folder).replace('internal;', 'internal; add_header X-Sent-By nginx;')}`)
  const authorized = await startNginx(`
    location /m/ {
      auth_request /authorize;
      auth_request_set $media_key $upstream_http_x_media_key;
      auth_request_set $media_cache $upstream_http_x_media_cache_control;
      root ${folder};
      try_files /$media_key =404;
      types { video/iso.segment m4s; application/vnd.apple.mpegurl m3u8; }
      add_header Cache-Control $media_cache; ${headers}
    }
    location = /authorize {
      internal;
      proxy_pass http://127.0.0.1:${media.port}/media-right$request_uri;
      proxy_pass_request_body off;
      proxy_set_header Content-Length "";
    }`)
  afterAll(async () => {
    await redirected[Symbol.asyncDispose]()
    await authorized[Symbol.asyncDispose]()
  })

  const arrange = async () => {
    const tenant = await createTenant(api)
    const member = await tenant.createMember()
    const product = await createFilm(tenant)
    await media.write(`${product.video.asset}/master.m3u8`, '#EXTM3U')
    await media.write(`${product.video.asset}/720p/seg_0001.m4s`, '0123456789')
    await buy(api, tenant, member, product)
    const { manifestUrl } = await member.client.playback.startPlayback({ id: product.id })
    const segment = manifestUrl.replace('master.m3u8', '720p/seg_0001.m4s')
    const revoke = () =>
      tenant.within((db) =>
        db
          .update(entitlements)
          .set({ revokedAt: new Date().toISOString() })
          .where(eq(entitlements.memberId, member.id)),
      )
    return { tenant, member, product, manifestUrl, segment, revoke }
  }

  test.each([
    ['follows X-Accel-Redirect', redirected.port],
    ['uses auth_request', authorized.port],
  ])('nginx that %s sends the bytes, and each request is authorized', async (_, port) => {
    const get = askAt(port)
    const { tenant, member, segment, manifestUrl, revoke } = await arrange()
    const whole = await get(segment, asMember(member.token))
    expect(whole).toMatchObject({ status: 200, text: '0123456789' })
    expect(whole.headers).toMatchObject({
      'x-sent-by': 'nginx',
      'content-type': 'video/iso.segment',
      'cache-control': 'private, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    })
    const part = await get(segment, { ...asMember(member.token), range: 'bytes=2-4' })
    expect(part).toMatchObject({ status: 206, text: '234', headers: { 'content-range': 'bytes 2-4/10' } })
    const revalidated = await get(segment, { ...asMember(member.token), 'if-none-match': whole.headers.etag! })
    expect(revalidated.status).toBe(304)
    expect((await get(manifestUrl, asMember(member.token))).headers['cache-control']).toBe('private, max-age=60')

    expect((await get(segment)).status).toBe(403)
    expect((await get(segment, asMember((await tenant.createMember()).token))).status).toBe(403)
    expect((await get(segment.replace('seg_0001', 'seg_0404'), asMember(member.token))).status).toBe(404)
    expect((await get(`/stored-media${segment.slice(segment.indexOf('/video'))}`)).status).toBe(404)
    await revoke()
    expect((await get(segment, asMember(member.token))).status).toBe(403)
  })

  test('nginx sends pictures and downloads too, and the API sends no bytes', async () => {
    const { tenant, member, product, segment } = await arrange()
    const answer = await media.get(segment, asMember(member.token))
    expect(answer).toMatchObject({ status: 200, text: '' })
    expect(answer.headers['x-accel-redirect']).toBe(`/stored-media/${product.video.asset}/720p/seg_0001.m4s`)

    const get = askAt(redirected.port)
    await media.write('art/poster.webp', 'poster')
    const picture = await get('/media/art/poster.webp')
    expect(picture).toMatchObject({ status: 200, text: 'poster', headers: { 'x-sent-by': 'nginx' } })
    expect(picture.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(picture.headers['cross-origin-resource-policy']).toBe('same-origin')
    const shared = await get('/media/variants/art/poster.webp/share.jpg')
    expect(shared).toMatchObject({ status: 200, headers: { 'x-sent-by': 'nginx' } })
    expect(shared.headers['cross-origin-resource-policy']).toBe('cross-origin')
    await media.write('attachment/notes/book.pdf', '%PDF-')
    const attachmentId = await addAttachment(tenant, product.id, '강의 노트.pdf', 'attachment/notes/book.pdf')
    const { url } = await member.client.catalog.confirmAttachment({ id: product.id, attachmentId })
    const file = await get(url, asMember(member.token))
    expect(file).toMatchObject({ status: 200, text: '%PDF-', headers: { 'content-type': 'application/pdf' } })
    expect(file.headers['content-disposition']).toContain(encodeURIComponent('강의 노트.pdf'))
    expect(file.headers['cache-control']).toBe('private, no-store')
  })

  test('the authorization response names the file and its content type', async () => {
    const { member, product, segment } = await arrange()
    const right = await media.get(`/media-right${segment}`, asMember(member.token))
    expect(right).toMatchObject({ status: 204, text: '' })
    expect(right.headers).toMatchObject({
      'x-media-key': `${product.video.asset}/720p/seg_0001.m4s`,
      'x-media-type': 'video/iso.segment',
      'cache-control': 'no-store',
    })
    expect((await media.get(`/media-right${segment}`)).status).toBe(403)
    expect((await media.get(`/media-right/m/nonsense${segment.slice(segment.indexOf('/video'))}`)).status).toBe(403)
    expect(await api.deps.storage.accelPathOf('art/x' as MediaKey)).toBe('art/x')
  })
})
