import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readlink } from 'node:fs/promises'
import { connect } from 'node:net'
import { crc32 } from 'node:zlib'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { products } from '#api/modules/catalog/catalog.schema.ts'
import { entitlements } from '#api/modules/entitlements/entitlements.schema.ts'
import { createVariants, readVariantKey } from '#api/modules/media/picture-variants.ts'
import { customers } from '#api/modules/tenancy/tenancy.schema.ts'
import type { MediaKey } from '#api/platform/storage/storage.ts'
import { buy } from '#tests/support/buying.ts'
import { addAttachment, asMember, createFilm, openMedia } from '#tests/support/media.ts'
import { createTenant, type Tenant, type TestMember } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()
const load = { busy: false }
const media = await openMedia(api, {
  isBusy: () => load.busy,
  // A slow machine needs longer for a picture than a visitor waits.
  waitLimits: { page: 100_000, share: 100_000 },
})

const writeFilm = async (asset: string) => {
  await media.write(`${asset}/master.m3u8`, '#EXTM3U')
  await media.write(`${asset}/720p/seg_0001.m4s`, '0123456789')
  await media.write(`${asset}/captions/ko.vtt`, 'WEBVTT')
  await media.write(`${asset}-preview/master.m3u8`, '#EXTM3U preview')
}

const readlinkOf = (path: string) => readlink(path).catch(() => null)

const arrange = async () => {
  const tenant = await createTenant(api)
  const member = await tenant.createMember()
  const film = await createFilm(tenant)
  await writeFilm(film.video.asset)
  await buy(api, tenant, member, film)
  const playback = await member.client.playback.startPlayback({ id: film.id })
  const prefix = playback.manifestUrl.slice(0, -'/master.m3u8'.length)
  return { tenant, member, film, playback, prefix, signature: prefix.split('/')[2]! }
}

const revoke = (tenant: Tenant, member: TestMember) =>
  tenant.within((db) =>
    db.update(entitlements).set({ revokedAt: new Date().toISOString() }).where(eq(entitlements.memberId, member.id)),
  )

test('a buyer’s manifest, segments and captions are served with private caching', async () => {
  const { member, playback, prefix } = await arrange()
  const manifest = await media.get(playback.manifestUrl, asMember(member.token))
  expect(manifest).toMatchObject({ status: 200, text: '#EXTM3U' })
  expect(manifest.headers).toMatchObject({
    'content-type': 'application/vnd.apple.mpegurl',
    'cache-control': 'private, max-age=60',
  })
  const segment = await media.get(`${prefix}/720p/seg_0001.m4s`, asMember(member.token))
  expect(segment.headers['cache-control']).toBe('private, max-age=31536000, immutable')
  expect((await media.get(playback.captions[0]!.url, asMember(member.token))).text).toBe('WEBVTT')
  const header = { authorization: `Bearer ${member.token}` }
  expect((await media.get(playback.manifestUrl, header)).status).toBe(200)
})

test('a session cookie with the __Host- prefix takes precedence over one without', async () => {
  const { member, playback } = await arrange()
  const status = async (cookie: string) => (await media.get(playback.manifestUrl, { cookie })).status
  expect(await status(`__Host-token=${member.token}`)).toBe(200)
  expect(await status(`token=a-neighbour; __Host-token=${member.token}`)).toBe(200)
  expect(await status(`__Host-token=somebody; token=${member.token}`)).toBe(403)
})

test('an unreadable cookie is refused with 403', async () => {
  const { playback } = await arrange()
  for (const cookie of ['token=%ff', 'token=%', 'token=%zz', 'token'])
    expect((await media.get(playback.manifestUrl, { cookie })).status).toBe(403)
})

test('a stream URL is refused to others, for another film and with a changed signature', async () => {
  const { tenant, member, prefix, signature } = await arrange()
  const files = ['master.m3u8', '720p/seg_0001.m4s', 'captions/ko.vtt'].map((file) => `${prefix}/${file}`)
  const other = await tenant.createMember()
  const elsewhere = await (await createTenant(api)).createMember(member.email)
  for (const file of files) {
    expect((await media.get(file)).status).toBe(403)
    expect((await media.get(file, asMember(other.token))).status).toBe(403)
    expect((await media.get(file, asMember(elsewhere.token))).status).toBe(403)
    expect((await media.get(file, asMember('nonsense'))).status).toBe(403)
  }
  const second = await createFilm(tenant)
  await writeFilm(second.video.asset)
  const [expiry, binding, mac] = signature.split('.')
  const tampered = [
    `/m/${signature}/${second.video.asset}/master.m3u8`,
    `/m/${Number.MAX_SAFE_INTEGER.toString(36)}.${binding}.${mac}/${prefix.split('/').slice(3).join('/')}/master.m3u8`,
    `/m/${expiry}.${binding}.${mac?.replace(/^./, (c) => (c === 'A' ? 'B' : 'A'))}/${prefix.split('/').slice(3).join('/')}/master.m3u8`,
    `/m/${expiry}.${binding?.slice(0, -3)}BBB.${mac}/${prefix.split('/').slice(3).join('/')}/master.m3u8`,
  ]
  for (const path of tampered) expect((await media.get(path, asMember(member.token))).status).toBe(403)
})

test('a stream URL is refused after its expiry, a refund or signing out', async () => {
  const ended = await arrange()
  api.clock.advance(5 * 3_600_000)
  expect((await media.get(ended.playback.manifestUrl, asMember(ended.member.token))).status).toBe(403)

  const refunded = await arrange()
  expect((await media.get(refunded.playback.manifestUrl, asMember(refunded.member.token))).status).toBe(200)
  await revoke(refunded.tenant, refunded.member)
  expect((await media.get(refunded.playback.manifestUrl, asMember(refunded.member.token))).status).toBe(403)

  const signedOut = await arrange()
  await signedOut.member.client.identity.logout()
  expect((await media.get(signedOut.playback.manifestUrl, asMember(signedOut.member.token))).status).toBe(403)
})

test('a guest’s stream URL opens a free film, and is refused once the film is sold', async () => {
  const tenant = await createTenant(api)
  const film = await createFilm(tenant, { kind: 'VOD', access: 'FREE', price: null })
  await writeFilm(film.video.asset)
  const { manifestUrl } = await tenant.guest.playback.startPlayback({ id: film.id })
  expect((await media.get(manifestUrl)).status).toBe(200)
  await tenant.within((db) => db.update(products).set({ access: 'PURCHASE' }).where(eq(products.id, film.id)))
  expect((await media.get(manifestUrl)).status).toBe(403)
})

test('a closed store serves no media, and a hidden product’s stream is refused to guests', async () => {
  const { tenant, member, film, playback } = await arrange()
  const open = async () => (await media.get(playback.manifestUrl, asMember(member.token))).status
  for (const closing of [{ useSite: false }, { useCustomer: false }]) {
    await api.owner.update(customers).set(closing).where(eq(customers.customerId, tenant.id))
    expect(await open()).toBe(403)
    await api.owner
      .update(customers)
      .set({ useSite: true, useCustomer: true })
      .where(eq(customers.customerId, tenant.id))
    expect(await open()).toBe(200)
  }
  const free = await createFilm(tenant, { kind: 'VOD', access: 'FREE', price: null })
  await writeFilm(free.video.asset)
  const { manifestUrl } = await tenant.guest.playback.startPlayback({ id: free.id })
  await tenant.within((db) => db.update(products).set({ status: 'HIDDEN' }))
  expect((await media.get(manifestUrl)).status).toBe(403)
  expect([film.id, await open()]).toEqual([film.id, 200])
})

test('a preview is public and gives no access to the film', async () => {
  const tenant = await createTenant(api)
  const film = await createFilm(tenant)
  await writeFilm(film.video.asset)
  const preview = await tenant.guest.playback.preview({ id: film.id, previewId: film.video.id })
  expect(preview.durationSeconds).toBe(15)
  const byProduct = await tenant.guest.playback.preview({ id: film.id, previewId: film.id as never })
  expect(byProduct).toEqual(preview)
  expect((await media.get(preview.manifestUrl)).text).toBe('#EXTM3U preview')
  expect((await media.get(`/p/${film.video.asset}/master.m3u8`)).status).toBe(404)
  expect((await media.get(`/media/${film.video.asset}/master.m3u8`)).status).toBe(404)
  const other = await createFilm(tenant)
  const mixed = failureOf(tenant.guest.playback.preview({ id: other.id, previewId: film.video.id }))
  expect((await mixed).status).toBe(404)
})

test('a path cannot leave the folder of media', async () => {
  const { member, prefix, film } = await arrange()
  await media.write('secret.txt', 'secret')
  await media.write('art/poster.webp', 'poster')
  expect(await media.get('/media/art/poster.webp')).toMatchObject({ status: 200, text: 'poster' })
  const paths = [
    '/media/../secret.txt',
    '/media/art/../../secret.txt',
    '/media/art/..%2f..%2fsecret.txt',
    '/media/art/%2e%2e/%2e%2e/secret.txt',
    '/media/art\\..\\..\\secret.txt',
    '/media//etc/passwd',
    '/media/secret.txt',
    `/p/${film.video.asset}-preview/../../../secret.txt`,
    `/p/${film.video.asset}-preview/../${film.video.asset.slice(6)}/master.m3u8`,
    `${prefix}/../../secret.txt`,
    `${prefix}/..%2f..%2fsecret.txt`,
    `${prefix}/.hidden`,
  ]
  for (const path of paths) {
    const answer = await media.get(path, asMember(member.token))
    expect([403, 404], path).toContain(answer.status)
    expect(answer.text, path).toBe('')
  }
})

test('range, conditional and HEAD requests for a file are answered', async () => {
  await media.write('art/range.bin', '0123456789')
  const path = '/media/art/range.bin'
  const whole = await media.get(path)
  const etag = whole.headers.etag!
  expect(whole.headers).toMatchObject({ 'accept-ranges': 'bytes', 'content-length': '10' })
  expect(await media.get(path, { range: 'bytes=2-4' })).toMatchObject({ status: 206, text: '234' })
  expect((await media.get(path, { range: 'bytes=2-4' })).headers['content-range']).toBe('bytes 2-4/10')
  expect(await media.get(path, { range: 'bytes=7-' })).toMatchObject({ status: 206, text: '789' })
  expect(await media.get(path, { range: 'bytes=-2' })).toMatchObject({ status: 206, text: '89' })
  expect(await media.get(path, { range: 'bytes=10-' })).toMatchObject({ status: 416 })
  expect(await media.get(path, { range: 'bytes=2-4', 'if-range': etag })).toMatchObject({ status: 206 })
  expect(await media.get(path, { range: 'bytes=2-4', 'if-range': '"old"' })).toMatchObject({ status: 200 })
  expect(await media.get(path, { 'if-none-match': etag })).toMatchObject({ status: 304, text: '' })
  const head = await media.get(path, {}, 'HEAD')
  expect(head).toMatchObject({ status: 200, text: '' })
  expect(head.headers['content-length']).toBe('10')
  expect((await media.get(path, {}, 'POST')).status).toBe(405)
})

test.runIf(existsSync('/proc/self/fd'))('an aborted request leaves no file open', async () => {
  await media.write('art/long.bin', 'a long file '.repeat(300_000))
  const path = `${api.deps.dataFolder}/media/art/long.bin`
  const open = async () => {
    const links = await Promise.all((await readdir('/proc/self/fd')).map((fd) => readlinkOf(`/proc/self/fd/${fd}`)))
    return links.filter((link) => link === path).length
  }
  const leave = (after: number) =>
    new Promise<void>((resolve) => {
      const socket = connect(media.port, '127.0.0.1', () => {
        socket.write('GET /media/art/long.bin HTTP/1.1\r\nHost: store.test\r\n\r\n')
        setTimeout(() => socket.destroy(), after)
      })
      socket.on('error', () => undefined).on('close', () => resolve())
    })
  await Promise.all(Array.from({ length: 60 }, (_, reader) => leave(reader % 12)))
  await expect.poll(open, { timeout: 20_000 }).toBe(0)
})

test('an attachment is served only to its buyer, with a safe file name', async () => {
  const tenant = await createTenant(api)
  const [member, other] = [await tenant.createMember(), await tenant.createMember()]
  const product = await tenant.createProduct({ kind: 'PAY' })
  await media.write('attachment/notes/book.pdf', '%PDF-')
  const name = '강의 노트"; filename="../../evil.exe\r\nX: y.pdf'
  const attachmentId = await addAttachment(tenant, product.id, name, 'attachment/notes/book.pdf')
  const refused = await failureOf(member.client.catalog.confirmAttachment({ id: product.id, attachmentId }))
  expect(refused).toMatchObject({ status: 403, code: 'NOT_ENTITLED' })

  const order = await buy(api, tenant, member, product)
  const { url } = await member.client.catalog.confirmAttachment({ id: product.id, attachmentId })
  const file = await media.get(url, asMember(member.token))
  expect(file).toMatchObject({ status: 200, text: '%PDF-' })
  const disposition = file.headers['content-disposition']!
  expect(disposition).toContain(encodeURIComponent('강의 노트'))
  expect(disposition).not.toMatch(/[\r\n]|\.\.\/|filename="[^"]*"; filename="/)
  expect(file.headers['cache-control']).toBe('private, no-store')
  expect((await media.get(url)).status).toBe(403)
  expect((await media.get(url, asMember(other.token))).status).toBe(403)
  expect((await media.get('/media/attachment/notes/book.pdf')).status).toBe(404)
  const opened = await member.client.orders.order({ code: order.code })
  expect(opened).toMatchObject({ items: [{ opened: true }], refundableUntil: null })

  await revoke(tenant, member)
  expect((await media.get(url, asMember(member.token))).status).toBe(403)
})

describe('picture variants', { timeout: 120_000 }, () => {
  const solid = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#3060c0' } })
  const frame = (background: string) =>
    sharp({ create: { width: 400, height: 200, channels: 3, background } })
      .png()
      .toBuffer()
  /** A PNG with the chunk that makes it an animation, behind its signature and first chunk. */
  const withFrames = (png: Buffer) => {
    const content = Buffer.from('acTL\0\0\0\x02\0\0\0\0', 'latin1')
    const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(content.length - 4)
    checksum.writeUInt32BE(crc32(content))
    return Buffer.concat([png.subarray(0, 33), length, content, checksum, png.subarray(33)])
  }
  const store = async (name: string, bytes: Buffer) => {
    const key = `posters/${randomUUID()}/${name}` as MediaKey
    await api.deps.storage.put(key, bytes)
    return key
  }

  const variantsOf = async (key: MediaKey) => {
    const keys: string[] = []
    for await (const entry of api.deps.storage.list(`variants/${key}` as MediaKey)) keys.push(entry.key)
    return keys.sort()
  }

  test('a picture is served in listed widths as AVIF and WebP, and never enlarged', async () => {
    const key = await store('one.webp', await solid(800, 450).webp().toBuffer())
    for (const [name, format, width] of [
      ['320.avif', 'heif', 320],
      ['640.webp', 'webp', 640],
      ['960.avif', 'heif', 800],
    ] as const) {
      const answer = await media.get(`/media/variants/${key}/${name}?v=2`)
      expect(answer).toMatchObject({
        status: 200,
        headers: {
          'content-type': `image/${name.split('.')[1]}`,
          'cache-control': 'public, max-age=31536000, immutable',
        },
      })
      expect(await sharp(answer.bytes).metadata()).toMatchObject({ format, width })
    }
    const again = await media.get(`/media/variants/${key}/320.avif`)
    const { etag } = again.headers
    expect(await media.get(`/media/variants/${key}/320.avif`, { 'if-none-match': etag! })).toMatchObject({
      status: 304,
    })
  })

  test.each([
    ['wide', 1600, 900],
    ['tall', 400, 600],
    ['small', 64, 64],
  ])('a %s picture is shared as a JPEG of 1200 × 630 that other sites may show', async (_, width, height) => {
    const key = await store('one.png', await solid(width, height).png().toBuffer())
    const answer = await media.get(`/media/variants/${key}/share.jpg`)
    expect(answer).toMatchObject({
      status: 200,
      headers: { 'content-type': 'image/jpeg', 'cross-origin-resource-policy': 'cross-origin' },
    })
    expect(await sharp(answer.bytes).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 630 })
  })

  test('sizes that are not listed, other files and other folders have no variants', async () => {
    const key = await store('one.webp', await solid(800, 450).webp().toBuffer())
    await media.write('video/film-x/one.webp', 'secret')
    await media.write('brand/x/logo.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>')
    for (const path of [
      ...[`${key}/641.avif`, `${key}/0640.avif`, `${key}/640.png`, `${key}/share.png`, `${key}/640.avif/640.avif`],
      ...[`${key}/__proto__.avif`, `${key}/`, key, 'posters/none/one.webp/640.avif', 'video/film-x/one.webp/640.avif'],
      ...['brand/x/logo.svg/640.avif', `variants/${key}/640.avif/640.webp`, '640.avif', '..%2F640.avif'],
    ])
      expect(await media.get(`/media/variants/${path}`), path).toMatchObject({ status: 404 })
    expect(await variantsOf(key)).toEqual([])
  })

  test('variants requested at once are created in turn, and the stored picture is served meanwhile', async () => {
    const key = await store('one.webp', await solid(1920, 1080).webp().toBuffer())
    const names = ['320.avif', '640.avif', '960.avif', '1280.avif', '1920.avif', '320.webp', '640.webp']
    const answers = await Promise.all(names.map((name) => media.get(`/media/variants/${key}/${name}`)))
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200))
    const early = answers.filter(({ headers }) => headers['cache-control'] === 'public, max-age=60')
    expect(early.length).toBeGreaterThan(0)
    for (const { headers, bytes } of early) {
      expect(headers['content-type']).toBe('image/webp')
      expect(await sharp(bytes).metadata()).toMatchObject({ width: 1920 })
    }
    await expect
      .poll(() => variantsOf(key), { timeout: 100_000 })
      .toEqual(names.map((name) => `variants/${key}/${name}`).sort())
  })

  const isStoredPicture = (headers: { [name: string]: unknown }) => headers['cache-control'] === 'public, max-age=60'

  test('animated WebP and PNG are served as stored, and shared as their first frame', async () => {
    const frames = await Promise.all(['#c03030', '#3060c0'].map((background) => frame(background)))
    const webp = await sharp(frames, { join: { animated: true } })
      .webp({ delay: [100, 100] })
      .toBuffer()
    for (const [name, bytes] of [
      ['one.webp', webp],
      ['one.png', withFrames(frames[0]!)],
    ] as const) {
      const key = await store(name, bytes)
      const answer = await media.get(`/media/variants/${key}/320.avif`)
      expect(answer).toMatchObject({ status: 200, headers: { 'content-type': `image/${name.split('.')[1]}` } })
      expect(answer.bytes.equals(bytes), name).toBe(true)
      const shared = await media.get(`/media/variants/${key}/share.jpg`)
      expect(await sharp(shared.bytes).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 630 })
      expect(await variantsOf(key)).toEqual([`variants/${key}/share.jpg`])
    }
  })

  test('an overloaded process creates no variant and serves the stored picture', async () => {
    const key = await store('one.webp', await solid(800, 450).webp().toBuffer())
    load.busy = true
    try {
      for (const name of ['320.avif', 'share.jpg'])
        expect(isStoredPicture((await media.get(`/media/variants/${key}/${name}`)).headers)).toBe(true)
    } finally {
      load.busy = false
    }
    expect(await variantsOf(key)).toEqual([])
    expect(isStoredPicture((await media.get(`/media/variants/${key}/320.avif`)).headers)).toBe(false)
  })

  test('a network over the limit of variants gets stored pictures and existing variants for a minute', async () => {
    const key = await store('one.webp', await solid(800, 450).webp().toBuffer())
    const isCreated = async (name: string) =>
      !isStoredPicture((await media.get(`/media/variants/${key}/${name}`)).headers)
    expect(await isCreated('320.webp')).toBe(true)
    while (api.deps.limits.variants.consume('127.0.0.1').code === 'ALLOWED');
    expect(await isCreated('320.avif')).toBe(false)
    expect(await isCreated('320.webp')).toBe(true)
    api.clock.advance(61_000)
    expect(await isCreated('320.avif')).toBe(true)
  })

  test('a removed picture has no variants, created before or during its removal', async () => {
    const key = await store('one.webp', await solid(800, 450).webp().toBuffer())
    expect(await media.get(`/media/variants/${key}/320.webp`)).toMatchObject({ status: 200 })
    await api.deps.storage.remove(key)
    expect(await media.get(`/media/variants/${key}/320.webp`)).toMatchObject({ status: 404 })

    const late = await store('one.webp', await solid(800, 450).webp().toBuffer())
    const { storage } = api.deps
    const variants = createVariants({
      storage: {
        open: (source) => storage.open(source),
        remove: (removed) => storage.remove(removed),
        put: async (stored, source) => {
          await storage.remove(late)
          await storage.put(stored, source)
        },
      },
      onFault: (error) => {
        throw error
      },
      waitLimits: { page: 100_000, share: 100_000 },
    })
    const variant = readVariantKey(`variants/${late}/320.webp` as MediaKey)!
    expect(await variants.prepare(variant)).toBe('MISSING')
    expect(await variantsOf(late)).toEqual([])
  })

  test('the authorization response for a variant names an existing file', async () => {
    const key = await store('one.webp', await solid(800, 450).webp().toBuffer())
    const right = (path: string) => media.get(`/media-right/media/variants/${path}`)
    expect(await right(`${key}/320.avif`)).toMatchObject({
      status: 204,
      text: '',
      headers: { 'x-media-key': `variants/${key}/320.avif`, 'x-media-type': 'image/avif' },
    })
    expect(await variantsOf(key)).toEqual([`variants/${key}/320.avif`])
    load.busy = true
    const meanwhile = await right(`${key}/640.avif`)
    load.busy = false
    expect(meanwhile).toMatchObject({ status: 204, headers: { 'x-media-key': key, 'x-media-type': 'image/webp' } })
    expect(await right('posters/none/one.webp/320.avif')).toMatchObject({ status: 403 })
  })

  test('a damaged picture is served as stored', async () => {
    const key = await store('one.webp', Buffer.from('no picture at all'))
    for (const name of ['640.avif', '640.avif', 'share.jpg'])
      expect(await media.get(`/media/variants/${key}/${name}`)).toMatchObject({
        status: 200,
        text: 'no picture at all',
        headers: { 'cache-control': 'public, max-age=60' },
      })
  })
})
