import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pino } from 'pino'
import { afterAll, describe, expect, test } from 'vitest'
import { readConfig } from '#api/config.ts'
import { removeOldVideoFiles } from '#api/modules/media/encoding/encoders.ts'
import { checkStream } from '#api/modules/media/package/check-stream.ts'
import { retiredRetentionMilliseconds } from '#api/modules/media/video-job-states.ts'
import { type CopiedMedia, copyMedia, createStorageFaults, ignoredFaults } from '#api/platform/storage/copy-media.ts'
import { createDiskStorage } from '#api/platform/storage/disk-storage.ts'
import { createS3Storage } from '#api/platform/storage/s3-storage.ts'
import type { MediaKey, MediaStorage } from '#api/platform/storage/storage.ts'
import { cleanUp } from '#tests/support/background-tasks.ts'
import { buy } from '#tests/support/buying.ts'
import { blockOf, readDocument } from '#tests/support/documents.ts'
import { addAttachment, askAt, asMember, createFilm, openMedia } from '#tests/support/media.ts'
import { installNginx, startNginxOf } from '#tests/support/nginx.ts'
import { installSwift, startSwift } from '#tests/support/swift.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'
import { makeFilm } from '#tests/support/video-files.ts'
import { arrangeVideos, filesOf } from '#tests/support/video-jobs.ts'

const film = 'demo/media/video/lesson-code'
const lines: { level: number; msg: string; reason?: string }[] = []
const log = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) })
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

const missing = await installSwift()
if (missing) {
  console.warn(`Skipped: ${missing}`)
  test.skip(missing, () => undefined)
}

describe.skipIf(missing !== null)('media in an S3 storage', { timeout: 90_000 }, async () => {
  if (missing) return
  const swift = await startSwift()
  afterAll(() => swift[Symbol.asyncDispose]())
  const api = createTestApi({ mediaStorage: swift.place, log })
  const media = await openMedia(api)
  const { storage } = api.deps
  const inBucket = async (key: string) => (await swift.bucket.objectExists(`${swift.place.prefix}/${key}`)) === true
  const keysBelow = async (prefix: string) => {
    const keys: string[] = []
    for await (const { key } of storage.list(prefix as MediaKey)) keys.push(key)
    return keys.sort()
  }

  const arrange = async () => {
    const tenant = await createTenant(api)
    const member = await tenant.createMember()
    const product = await createFilm(tenant)
    const order = await buy(api, tenant, member, product)
    const { manifestUrl } = await member.client.playback.startPlayback({ id: product.id })
    const prefix = manifestUrl.slice(0, -'/master.m3u8'.length)
    return { tenant, member, product, order, prefix, asset: product.video.asset as MediaKey }
  }

  test('is played file by file, with its type, by entitled members alone', async () => {
    const { tenant, member, prefix, asset } = await arrange()
    await storage.putFolder(asset, film)
    const files = (await readdir(film, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(film.length + 1))
    expect(files.length).toBeGreaterThan(30)
    expect(await keysBelow(asset)).toEqual(files.map((name) => `${asset}/${name}`).sort())
    for (const name of files) {
      const answer = await media.get(`${prefix}/${name}`, asMember(member.token))
      expect([name, answer.status, digest(answer.bytes)]).toEqual([name, 200, digest(await readFile(join(film, name)))])
    }
    const playlist = await media.get(`${prefix}/720p/index.m3u8`, asMember(member.token))
    expect(playlist.headers).toMatchObject({
      'content-type': 'application/vnd.apple.mpegurl',
      'cache-control': 'private, max-age=60',
    })
    const segment = `${prefix}/720p/seg_0001.m4s`
    expect((await media.get(segment, asMember(member.token))).headers).toMatchObject({
      'content-type': 'video/iso.segment',
      'cache-control': 'private, max-age=31536000, immutable',
    })
    expect((await media.get(segment)).status).toBe(403)
    expect((await media.get(segment, asMember((await tenant.createMember()).token))).status).toBe(403)
  })

  test('is served in ranges, heads and 304 answers as from a disk', async () => {
    await media.write('art/range.bin', '0123456789')
    const path = '/media/art/range.bin'
    const whole = await media.get(path)
    const etag = whole.headers.etag!
    expect(etag).toMatch(/^"[^"]+"$/)
    expect(whole).toMatchObject({ status: 200, text: '0123456789', headers: { 'content-length': '10' } })
    const part = await media.get(path, { range: 'bytes=2-4', 'if-range': etag })
    expect(part).toMatchObject({ status: 206, text: '234', headers: { 'content-range': 'bytes 2-4/10' } })
    expect(await media.get(path, { range: 'bytes=-2' })).toMatchObject({ status: 206, text: '89' })
    expect(await media.get(path, { range: 'bytes=2-4', 'if-range': '"old"' })).toMatchObject({ status: 200 })
    expect(await media.get(path, { range: 'bytes=10-' })).toMatchObject({ status: 416 })
    for (const matching of [etag, `W/${etag}`, `"other", ${etag}`])
      expect(await media.get(path, { 'if-none-match': matching })).toMatchObject({ status: 304, text: '' })
    expect(await media.get(path, {}, 'HEAD')).toMatchObject({
      status: 200,
      text: '',
      headers: { 'content-length': '10' },
    })
    await media.write('art/empty.bin', '')
    expect(await media.get('/media/art/empty.bin')).toMatchObject({ status: 200, text: '' })
  })

  test('is uploaded in parts if large, and read back unchanged, also across a part’s boundary', async () => {
    const bytes = Buffer.alloc(20 * 1024 * 1024 + 7)
    for (let at = 0; at < bytes.length; at += 4096) bytes.writeUInt32LE(at, at)
    const pieces = function* () {
      for (let at = 0; at < bytes.length; at += 999_983) yield bytes.subarray(at, at + 999_983)
    }
    const key = 'public/large.bin' as MediaKey
    await storage.put(key, Readable.from(pieces(), { objectMode: false }))
    const seam = 8 * 1024 * 1024
    expect(digest((await media.get('/media/public/large.bin')).bytes)).toBe(digest(bytes))
    const range = `bytes=${seam - 10}-${seam + 10}`
    expect((await media.get('/media/public/large.bin', { range })).bytes).toEqual(bytes.subarray(seam - 10, seam + 11))

    const ending = new AbortController()
    const endless = Readable.from(
      (function* () {
        for (let sent = 0; ; sent++) {
          if (sent === 40) ending.abort()
          yield Buffer.alloc(512 * 1024)
        }
      })(),
      { objectMode: false },
    )
    const abortedKey = 'public/given-up.bin' as MediaKey
    await expect(storage.put(abortedKey, endless, { signal: ending.signal })).rejects.toThrow()
    expect(await storage.open(abortedKey)).toBeNull()
    const uploads = JSON.stringify(await swift.bucket.listMultipartUploads('/', ''))
    expect(uploads).not.toContain('given-up')
  })

  test('includes previews, attachments and files of members, and is removed again', async () => {
    const { tenant, member, product, asset } = await arrange()
    await storage.putFolder(`${asset}-preview` as MediaKey, `${film}-preview`)
    const preview = await tenant.guest.playback.preview({ id: product.id, previewId: product.video.id })
    expect((await media.get(preview.manifestUrl)).text).toContain('#EXTM3U')
    await storage.remove(`${asset}-preview` as MediaKey)
    expect(await keysBelow(`${asset}-preview`)).toEqual([])
    expect((await media.get(preview.manifestUrl)).status).toBe(404)

    await media.write('attachment/notes/book.pdf', '%PDF-')
    const attachmentId = await addAttachment(tenant, product.id, '강의.pdf', 'attachment/notes/book.pdf')
    const { url } = await member.client.catalog.confirmAttachment({ id: product.id, attachmentId })
    const attachment = await media.get(url, asMember(member.token))
    expect(attachment).toMatchObject({ status: 200, text: '%PDF-', headers: { 'content-type': 'application/pdf' } })
    expect(attachment.headers['content-disposition']).toContain(encodeURIComponent('강의.pdf'))

    const sent = await member.client.support.sendFile({
      file: new File(['what I saw'], 'log.txt', { type: 'text/plain' }),
    })
    expect((await media.get(sent.url!, asMember(member.token))).text).toBe('what I saw')
    const [storedKey] = (await keysBelow(`inquiry/${tenant.id}`)) as [string]
    expect(await inBucket(storedKey)).toBe(true)
    api.clock.advance(25 * 3_600_000)
    await cleanUp(api, tenant)
    expect(await inBucket(storedKey)).toBe(false)
  })

  test('is served in its present state after it was removed or replaced in the bucket', async () => {
    expect((await media.get('/media/art/none.webp')).status).toBe(404)
    await media.write('art/exchanged.txt', 'before')
    await media.write('art/gone.txt', 'before')
    for (const name of ['exchanged', 'gone']) expect((await media.get(`/media/art/${name}.txt`)).text).toBe('before')
    await swift.bucket.putObject(`${swift.place.prefix}/art/exchanged.txt`, 'and after', 'text/plain')
    await swift.bucket.deleteObject(`${swift.place.prefix}/art/gone.txt`)
    expect(await media.get('/media/art/exchanged.txt')).toMatchObject({ status: 200, text: 'and after' })
    expect(await media.get('/media/art/gone.txt')).toMatchObject({ status: 404 })
  })

  test('is copied from a disk once, and back', async () => {
    const [from, restored] = (await Promise.all(
      ['from', 'back'].map(async (name) => createDiskStorage(await mkdtemp(join(tmpdir(), `marquee-${name}-`)))),
    )) as [MediaStorage, MediaStorage]
    const to = createS3Storage({ ...swift.place, prefix: 'copied' }, ignoredFaults)
    await from.putFolder('video/lesson-code' as MediaKey, `${film}-preview`)
    const copy = async (one: MediaStorage, other: MediaStorage) => {
      const files: CopiedMedia[] = []
      await copyMedia(one, other, (file) => files.push(file))
      return [files.length, files.filter(({ copied }) => copied).length]
    }
    const [files] = await copy(from, to)
    expect(files).toBeGreaterThan(10)
    expect(await copy(from, to)).toEqual([files, 0])
    expect(await copy(to, restored)).toEqual([files, files])
    const body = await (await restored.open('video/lesson-code/480p/seg_0001.m4s' as MediaKey))?.read()
    expect(digest(await buffer(body!))).toBe(digest(await readFile(`${film}-preview/480p/seg_0001.m4s`)))
  })

  test('is never read outside the prefix of the bucket', async () => {
    await swift.bucket.putObject('secret.txt', 'secret')
    await swift.bucket.putObject('shop/secret.txt', 'secret')
    for (const path of [
      'art/../../secret.txt',
      'art/..%2f..%2fsecret.txt',
      'art/%2e%2e/%2e%2e/secret.txt',
      '../secret.txt',
    ]) {
      const answer = await media.get(`/media/${path}`)
      expect([path, answer.status, answer.text]).toEqual([path, 404, ''])
    }
    await expect(storage.remove('art' as MediaKey)).rejects.toThrow('would select all media of a kind')
  })

  test('is fetched by a proxy in front with a signed address, and no other file is', async () => {
    await media.write('art/handed.txt', 'handed over')
    const handed = await storage.accelPathOf('art/handed.txt' as MediaKey)
    expect(await (await fetch(`${swift.place.endpoint}/${handed}`)).text()).toBe('handed over')
    const other = `${swift.place.endpoint}/${handed?.replace('handed.txt', 'range.bin')}`
    expect((await fetch(other)).status).toBe(403)
  })

  test.skipIf((await installNginx()) !== null)(
    'is cached by nginx in front, which still asks for the entitlement',
    async () => {
      const accel = createTestApi({
        mediaStorage: swift.place,
        mediaAccel: '/stored-media/',
        trustedProxies: ['127.0.0.1'],
      })
      const behind = await openMedia(accel)
      const { endpoint } = swift.place
      const { host } = new URL(endpoint)
      const ofGuide = blockOf(readDocument('guides/media.md'), 'nginx', 'proxy_pass https://s3.example.com/;')
      const [cache = '', location = ''] = ofGuide
        .replace('https://s3.example.com', endpoint)
        .replace('Host s3.example.com', `Host ${host}`)
        .split('\n\n')
      await using nginx = await startNginxOf(
        (folder, port) => `
      ${cache.replace('/var/cache/nginx/media', `${folder}/cache`)}
      server {
        listen 127.0.0.1:${port};
        location / { proxy_pass http://127.0.0.1:${behind.port}; }
        ${location.replace('internal;', 'internal; add_header X-Cache $upstream_cache_status;')}
      }`,
      )
      const { member, prefix, asset } = await arrange()
      await storage.putFolder(asset, film)
      const get = askAt(nginx.port)
      const segment = `${prefix}/720p/seg_0003.m4s`
      const bytes = await readFile(`${film}/720p/seg_0003.m4s`)
      for (const state of ['MISS', 'HIT']) {
        const answer = await get(segment, asMember(member.token))
        expect(answer).toMatchObject({
          status: 200,
          headers: { 'x-cache': state, 'content-type': 'video/iso.segment' },
        })
        expect(answer.headers['cache-control']).toBe('private, max-age=31536000, immutable')
        expect(answer.bytes).toEqual(bytes)
      }
      const part = await get(segment, { ...asMember(member.token), range: 'bytes=100-199' })
      expect(part).toMatchObject({ status: 206, headers: { 'x-cache': 'HIT' } })
      expect(part.bytes).toEqual(bytes.subarray(100, 200))
      expect((await get(segment)).status).toBe(403)
    },
  )

  const large = Buffer.alloc(12 * 1024 * 1024, 'the same again ')
  const beginToRead = async (key: MediaKey) => {
    await storage.put(key, large)
    const body = (await (await storage.open(key))?.read())!
    const reading = body[Symbol.asyncIterator]()
    const parts = [((await reading.next()) as { value: Buffer }).value]
    return async () => {
      for (let part = await reading.next(); !part.done; part = await reading.next()) parts.push(part.value as Buffer)
      return Buffer.concat(parts)
    }
  }

  test('is resumed where a connection broke in the middle of a file', async () => {
    const readOn = await beginToRead('public/broken-off.bin' as MediaKey)
    swift.cut()
    expect(digest(await readOn())).toBe(digest(large))
  })

  test('is answered with 503, Retry-After and one log line during an outage, and served again after it', async () => {
    const { member, prefix, asset } = await arrange()
    await storage.putFolder(asset, film)
    const segment = `${prefix}/720p/seg_0002.m4s`
    expect((await media.get(segment, asMember(member.token))).status).toBe(200)
    const readOn = await beginToRead('public/lost.bin' as MediaKey)
    lines.length = 0
    await swift.halt()
    await expect(readOn()).rejects.toThrow()
    const answers = await Promise.all(Array.from({ length: 10 }, () => media.get(segment, asMember(member.token))))
    for (const { status, headers, text } of answers)
      expect([status, headers['retry-after'], text, headers['cache-control']]).toEqual([503, '5', '', 'no-store'])
    const refused = await failureOf(member.client.support.sendFile({ file: new File(['x'], 'x.txt') }))
    expect(refused).toMatchObject({ status: 503, code: 'UNAVAILABLE' })
    expect(lines.filter(({ msg }) => msg.includes('does not answer'))).toHaveLength(1)
    expect(JSON.stringify(lines)).not.toContain(swift.place.secretKey)

    await swift.resume()
    expect((await media.get(segment, asMember(member.token))).status).toBe(200)
    expect(lines.filter(({ msg }) => msg.includes('answers again'))).toHaveLength(1)
    expect((await member.client.support.sendFile({ file: new File(['x'], 'x.txt') })).name).toBe('x.txt')
  })

  test('is checked at the start: a wrong setting is refused in a sentence, an outage is not', async () => {
    await expect(storage.check()).resolves.toBeUndefined()
    const check = (change: Partial<typeof swift.place>) =>
      createS3Storage({ ...swift.place, ...change }, ignoredFaults).check()
    await expect(check({ bucket: 'another-bucket' })).rejects.toThrow(
      /^MEDIA_S3_BUCKET: there is no bucket another-bucket/,
    )
    await expect(check({ secretKey: 'wrong' })).rejects.toThrow(
      /^MEDIA_S3_ACCESS_KEY and MEDIA_S3_SECRET_KEY have no permission/,
    )
    await expect(check({ endpoint: 'http://127.0.0.1:9' })).resolves.toBeUndefined()
  })

  test('is where another preview is cut from and stored, without encoding; the former one is deleted later', async () => {
    const { tenant, tenantVideos, make } = await arrangeVideos(api)
    const product = await tenant.createProduct({ access: 'FREE', price: null })
    const path = makeFilm('pier.mp4', { size: '160x90', seconds: 10 })
    expect(await make({ productId: product.id, path, previewSeconds: 2 })).toMatchObject({ status: 'READY' })
    const staff = await tenant.createStaff('CATALOG')
    const { videoId } = await staff.client.admin.products.get({ code: product.code })
    const id = videoId!
    const { version } = await staff.client.admin.videos.get({ id })
    const preview = () => tenant.guest.playback.preview({ id: product.id, previewId: id })
    const former = await preview()
    const folderOf = ({ manifestUrl }: Pick<typeof former, 'manifestUrl'>) =>
      /video\/[^/]+-preview/.exec(manifestUrl)?.[0] ?? 'none'

    const input = { id, startSeconds: 4, seconds: 4 }
    const changed = await staff.withVersion(version).admin.videos.setPreview(input)
    expect(changed.preview).toEqual({ startSeconds: 4, seconds: 4 })
    const shown = await preview()
    expect(shown.durationSeconds).toBe(4)
    expect(await inBucket(`${folderOf(shown)}/master.m3u8`)).toBe(true)
    const files = await mkdtemp(join(tmpdir(), 'preview-s3-'))
    for (const key of await keysBelow(folderOf(shown))) {
      const target = join(files, key.slice(folderOf(shown).length + 1))
      await mkdir(dirname(target), { recursive: true })
      const stored = await swift.bucket.getObjectArrayBuffer(`${swift.place.prefix}/${key}`)
      await writeFile(target, new Uint8Array(stored!))
    }
    expect(await checkStream(files)).toEqual([])
    expect(filesOf(api.deps).work).toEqual([])

    expect((await media.get(former.manifestUrl)).status).toBe(200)
    api.clock.advance(retiredRetentionMilliseconds + 60_000)
    await removeOldVideoFiles(api.deps, tenantVideos.ctx.customer as never)
    expect(await keysBelow(folderOf(former))).toEqual([])
    expect((await media.get(shown.manifestUrl)).status).toBe(200)

    // While the bucket does not answer, the preview stays, and nothing is left on the disk.
    await swift.halt()
    const halted = await failureOf(staff.withVersion(changed.version).admin.videos.setPreview({ ...input, seconds: 2 }))
    await swift.resume()
    expect(halted).toMatchObject({ status: 503 })
    expect(filesOf(api.deps).work).toEqual([])
    expect(await staff.client.admin.videos.get({ id })).toMatchObject({ version: changed.version })
  })
})

test.each([
  ['MEDIA_S3_ENDPOINT', 's3.example.com', /^MEDIA_S3_ENDPOINT must be the origin .* for example https:\/\/s3/],
  ['MEDIA_S3_ENDPOINT', 'https://s3.example.com/bucket', /^MEDIA_S3_ENDPOINT must be the origin .* without the bucket/],
  ['MEDIA_S3_BUCKET', 'My Bucket', /^MEDIA_S3_BUCKET must be the name of a bucket, for example marquee-media/],
  ['MEDIA_S3_PREFIX', '../up', /^MEDIA_S3_PREFIX must be names with slashes/],
  ['MEDIA_S3_REGION', 'us east', /^MEDIA_S3_REGION must be a region/],
  ['MEDIA_S3_BUCKET', 'marquee-media', /^MEDIA_S3_ENDPOINT is missing/],
  ['MEDIA_ACCEL', 'stored', /^MEDIA_ACCEL must be the path of an internal location/],
  ['MEDIA_ACCEL', '/stored-media/', /^TRUSTED_PROXIES is missing/],
])('%s="%s" is refused with an example', (name, value, sentence) => {
  expect(() => readConfig({ [name]: value })).toThrow(sentence)
})

test('an unavailable storage is logged once in a while, not once a request', () => {
  const logged: string[] = []
  const faults = createStorageFaults({ error: (_, text) => logged.push(text), warn: (_, text) => logged.push(text) })
  for (let request = 0; request < 100; request++) faults.reading.onFailure(new Error('refused'))
  faults.reading.onSuccess()
  faults.reading.onSuccess()
  for (let time = 0; time < 100; time++) {
    faults.reading.onFailure(new Error('refused'))
    faults.reading.onSuccess()
  }
  faults.writing.onFailure(new Error('full'))
  expect(logged).toEqual([
    'The media storage does not answer',
    'The media storage answers again',
    'The media storage does not accept files',
  ])
})
