import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, describe, expect, test } from 'vitest'
import { createStorageFaults } from '#api/platform/storage/copy-media.ts'
import { createDiskStorage } from '#api/platform/storage/disk-storage.ts'
import type { MediaKey } from '#api/platform/storage/storage.ts'
import { StorageUnavailable } from '#api/platform/storage/storage.ts'
import { startBadStorage } from '#tests/support/bad-storage.ts'
import { buy } from '#tests/support/buying.ts'
import { asMember, createFilm, openMedia } from '#tests/support/media.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const lines: { msg: string; reason?: string }[] = []
const log = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) })
const linesWith = (text: string) => lines.filter(({ msg }) => msg.includes(text))
const onlyRoot = 'Only root can mount a small disk.'
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

const segmentBytes = Buffer.alloc(1_234_567)
for (let at = 0; at + 4 < segmentBytes.length; at += 4) segmentBytes.writeUInt32LE(at, at)

describe('faults of an S3 storage', { timeout: 90_000 }, async () => {
  const bad = await startBadStorage()
  afterAll(() => bad[Symbol.asyncDispose]())
  const api = createTestApi({ mediaStorage: bad.place, log })
  const media = await openMedia(api)

  /** A member who plays a film with segments that are not cached. */
  const arrange = async () => {
    bad.behave('well')
    const tenant = await createTenant(api)
    const member = await tenant.createMember()
    const product = await createFilm(tenant)
    await buy(api, tenant, member, product)
    const { manifestUrl } = await member.client.playback.startPlayback({ id: product.id })
    const names = Array.from({ length: 12 }, (_, part) => `720p/seg_${part}.m4s`)
    for (const name of names) await api.deps.storage.put(`${product.video.asset}/${name}` as MediaKey, segmentBytes)
    const get = (part: number) =>
      media.get(manifestUrl.replace('master.m3u8', names[part] ?? ''), asMember(member.token))
    await expect.poll(async () => (await get(11)).status, { timeout: 20_000 }).toBe(200)
    lines.length = 0
    bad.count()
    return { tenant, member, product, get, path: manifestUrl.replace('master.m3u8', '720p/seg_11.m4s') }
  }
  const noSocketsLeft = () => expect.poll(() => bad.read().sockets, { timeout: 20_000 }).toBe(0)

  test('a file is delivered whole over broken connections while each retry brings more of it', async () => {
    const { get } = await arrange()
    bad.behave('breaking')
    const answer = await get(0)
    expect([answer.status, digest(answer.bytes)]).toEqual([200, digest(segmentBytes)])
    expect(bad.read().requests).toBeGreaterThan(10)
    expect(lines).toEqual([])
  })

  test('a single failure is retried without an error to the viewer', async () => {
    const { get, member } = await arrange()
    for (const manner of ['overloaded', 'silent'] as const) {
      bad.behave(manner, 1)
      const answer = await get(manner === 'silent' ? 1 : 2)
      expect([manner, answer.status, digest(answer.bytes)]).toEqual([manner, 200, digest(segmentBytes)])
    }
    bad.behave('overloaded', 3)
    expect((await member.client.support.sendFile({ file: new File(['x'], 'x.txt') })).name).toBe('x.txt')
    expect(lines).toEqual([])
  })

  test('a storage that never answers causes 503 within 8 seconds and delays no other request', async () => {
    const { get, tenant, member } = await arrange()
    bad.behave('silent')
    const began = performance.now()
    const viewers = Promise.all(Array.from({ length: 10 }, (_, part) => get(part)))
    let answered = false
    void viewers.then(() => {
      answered = true
    })
    for (let call = 0; call < 40; call++) await tenant.guest.catalog.categories()
    expect(answered).toBe(false)
    const answers = await viewers
    expect(performance.now() - began).toBeLessThan(8_000)
    for (const { status, headers, text } of answers)
      expect([status, headers['retry-after'], headers['cache-control'], text]).toEqual([503, '5', 'no-store', ''])
    expect(linesWith('does not answer')).toHaveLength(1)

    bad.count()
    const later = await Promise.all(Array.from({ length: 10 }, (_, part) => get(part)))
    expect(new Set(later.map(({ status }) => status))).toEqual(new Set([503]))
    expect(bad.read().maxAtOnce).toBeLessThan(2)
    const refused = await failureOf(member.client.support.sendFile({ file: new File(['x'], 'x.txt') }))
    expect(refused).toMatchObject({ status: 503, code: 'UNAVAILABLE' })
    await noSocketsLeft()

    bad.behave('well')
    expect((await get(3)).status).toBe(200)
    expect(linesWith('answers again')).toHaveLength(1)
  })

  test('an overloaded storage receives fewer requests, not more', async () => {
    const { get } = await arrange()
    bad.behave('overloaded')
    const first = await get(0)
    expect([first.status, first.headers['retry-after']]).toEqual([503, '5'])
    expect(bad.read().requests).toBe(3)
    const began = performance.now()
    const answers = await Promise.all(Array.from({ length: 50 }, (_, viewer) => get(viewer % 11)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]))
    // Each second, one request tries whether the storage answers again.
    const seconds = Math.ceil((performance.now() - began) / 1000)
    expect(bad.read().requests).toBeLessThanOrEqual(3 + seconds)
    expect(JSON.stringify(lines)).not.toContain(bad.place.secretKey)
  })

  test('a storage that stalls within an error answer causes 503', async () => {
    const { get } = await arrange()
    bad.behave('stalled-refusal')
    // The size of the first file is cached, the second one's is requested.
    for (const part of [11, 0]) expect([part, (await get(part)).status]).toEqual([part, 503])
    await noSocketsLeft()
  })

  test('the rest of a stalled file is requested, and repeated stalls abort the answer', async () => {
    const { get } = await arrange()
    bad.behave('stalling', 2)
    const answer = await get(11)
    expect([answer.status, digest(answer.bytes)]).toEqual([200, digest(segmentBytes)])
    expect(lines).toEqual([])

    bad.behave('stalling')
    await expect(get(10)).rejects.toThrow('aborted')
    expect(linesWith('stopped in the middle of a file')).toHaveLength(1)
    await noSocketsLeft()
  })

  test('no connection stays open after the viewer of a stalled file has disconnected', async () => {
    const { path, member } = await arrange()
    bad.behave('stalling')
    const socket = connect(media.port, '127.0.0.1')
    const cookie = asMember(member.token).cookie
    socket.write(`GET ${path} HTTP/1.1\r\nHost: store.test\r\nCookie: ${cookie}\r\n\r\n`)
    await new Promise((resolve) => socket.once('data', resolve))
    expect(bad.read().sockets).toBeGreaterThan(0)
    socket.destroy()
    await noSocketsLeft()
    expect(lines).toEqual([])
  })

  test('a full storage still serves its files', async () => {
    const { get, member } = await arrange()
    bad.behave('full')
    const send = () => failureOf(member.client.support.sendFile({ file: new File(['x'], 'x.txt') }))
    expect(await send()).toMatchObject({ status: 503, code: 'UNAVAILABLE' })
    for (let part = 0; part < 5; part++) expect((await get(part)).status).toBe(200)
    expect(linesWith('does not accept files')).toHaveLength(1)
    expect(linesWith('answer')).toEqual([])
  })
})

describe('faults of a disk', async () => {
  const api = createTestApi({ log })
  const media = await openMedia(api)
  const folders: string[] = []
  const mounts: string[] = []
  afterAll(async () => {
    for (const mount of mounts) execFileSync('/usr/bin/umount', [mount])
    for (const folder of folders) await rm(folder, { recursive: true })
  })
  const newFolder = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'marquee-disk-'))
    folders.push(folder)
    return folder
  }
  const keysOf = async (files: AsyncIterable<{ key: MediaKey }>) => {
    const keys: string[] = []
    for await (const { key } of files) keys.push(key)
    return keys
  }
  const key = (name: string) => `public/files/${name}` as MediaKey
  /** Mounts a disk of a megabyte on a folder; false without the right to mount. */
  const putSmallDisk = (folder: string): boolean => {
    try {
      execFileSync('/usr/bin/mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'ignore' })
    } catch {
      return false
    }
    mounts.push(folder)
    return true
  }

  test('a full disk keeps its files, stores no partial file, and is logged', async ({ skip }) => {
    const folder = await newFolder()
    if (!putSmallDisk(folder)) return skip(onlyRoot)
    lines.length = 0
    const disk = createDiskStorage(folder, createStorageFaults(log))
    await disk.put(key('first'), Buffer.alloc(300_000, 1))
    for (let time = 0; time < 3; time++)
      await expect(disk.put(key('first'), Buffer.alloc(900_000, 2))).rejects.toThrow(StorageUnavailable)
    const source = join(await newFolder(), 'large')
    await writeFile(source, Buffer.alloc(900_000, 3))
    await expect(disk.put(key('second'), { path: source })).rejects.toThrow(/no space left/)
    expect((await disk.open(key('first')))?.bytes).toBe(300_000)
    expect(await disk.open(key('second'))).toBeNull()
    expect(await readdir(join(folder, '.parts'))).toEqual([])
    expect(linesWith('does not accept files')).toMatchObject([{ reason: expect.stringMatching(/^ENOSPC/) }])

    await disk.remove(key('first'))
    await disk.put(key('second'), { path: source })
    expect((await disk.open(key('second')))?.bytes).toBe(900_000)
    expect(linesWith('accepts files again')).toHaveLength(1)
  })

  test('a full disk refuses a member’s upload with 503 and still serves viewers', async ({ skip }) => {
    const folder = join(api.deps.dataFolder, 'media')
    await mkdir(folder, { recursive: true })
    if (!putSmallDisk(folder)) return skip(onlyRoot)
    const tenant = await createTenant(api)
    const member = await tenant.createMember()
    const product = await createFilm(tenant)
    await buy(api, tenant, member, product)
    const { manifestUrl } = await member.client.playback.startPlayback({ id: product.id })
    await media.write(`${product.video.asset}/master.m3u8`, '#EXTM3U')
    const send = (bytes: number) =>
      member.client.support.sendFile({ file: new File([Buffer.alloc(bytes, 1)], 'x.bin') })
    for (let time = 0; time < 2; time++) {
      expect(await failureOf(send(1_500_000))).toMatchObject({ status: 503, code: 'UNAVAILABLE' })
      expect((await media.get(manifestUrl, asMember(member.token))).text).toBe('#EXTM3U')
    }
    const sent = await send(100_000)
    expect((await media.get(sent.url ?? '', asMember(member.token))).bytes).toHaveLength(100_000)
  })

  test('an unreadable disk is reported as unavailable, not as missing or empty', async () => {
    const folder = await newFolder()
    const disk = createDiskStorage(folder, createStorageFaults(log))
    await symlink('circle', join(folder, 'circle'))
    await expect(disk.open('circle/film/seg_1.m4s' as MediaKey)).rejects.toThrow(StorageUnavailable)
    await expect(keysOf(disk.list('circle/film' as MediaKey))).rejects.toThrow(StorageUnavailable)
    expect(await disk.open(key('none'))).toBeNull()
    expect(await keysOf(disk.list('public/none' as MediaKey))).toEqual([])
  })
})
