import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, describe, expect, test } from 'vitest'
import { ignoredFaults } from '#api/platform/storage/copy-media.ts'
import { createDiskStorage } from '#api/platform/storage/disk-storage.ts'
import { createS3Storage } from '#api/platform/storage/s3-storage.ts'
import type { MediaKey, MediaStorage } from '#api/platform/storage/storage.ts'
import { buy } from '#tests/support/buying.ts'
import { commandOf } from '#tests/support/command.ts'
import { asMember, createFilm, openMedia } from '#tests/support/media.ts'
import { installSwift, startSwift } from '#tests/support/swift.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const film = 'demo/media/video/lesson-code'
const large = 'attachment/large/recordings.zip' as MediaKey
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

const missing = await installSwift()
if (missing) {
  console.warn(`Skipped: ${missing}`)
  test.skip(missing, () => undefined)
}

/** The digests of a storage’s files, by their keys. */
const contentOf = async (storage: MediaStorage) => {
  const content = new Map<string, string>()
  for await (const { key } of storage.list()) {
    const body = await (await storage.open(key))?.read()
    content.set(key, body ? digest(await buffer(body)) : '')
  }
  return content
}
const keysOf = async (storage: MediaStorage) => {
  const keys: string[] = []
  for await (const { key } of storage.list()) keys.push(key)
  return keys
}

describe.skipIf(missing !== null)('Copying media to another storage and back', { timeout: 480_000 }, async () => {
  if (missing) return
  const swift = await startSwift()
  afterAll(() => swift[Symbol.asyncDispose]())
  const { place } = swift
  const inS3 = createS3Storage(place, ignoredFaults)
  const variables = {
    MEDIA_S3_ENDPOINT: place.endpoint,
    MEDIA_S3_BUCKET: place.bucket,
    MEDIA_S3_PREFIX: place.prefix,
    MEDIA_S3_ACCESS_KEY: place.accessKey,
    MEDIA_S3_SECRET_KEY: place.secretKey,
  }
  // The same store three times: on its disk, on S3, and on the disk of another machine.
  const [before, switched, elsewhere] = [
    createTestApi(),
    createTestApi({ mediaStorage: place }),
    createTestApi(),
  ] as const
  const [onDisk, onS3, onNewDisk] = [await openMedia(before), await openMedia(switched), await openMedia(elsewhere)]

  /** Runs the command, kills it after three files, and returns the result of a second run. */
  const killThenRerun = async (command: ReturnType<typeof commandOf>, args: string[], to: MediaStorage) => {
    const kill = new AbortController()
    const running = command(args, kill.signal)
    await expect
      .poll(async () => (await keysOf(to)).length, { timeout: 60_000, interval: 20 })
      .toBeGreaterThanOrEqual(3)
    kill.abort()
    expect((await running).code).not.toBe(0)
    expect(await keysOf(to)).not.toContain(large)
    return command(args)
  }
  const countsOf = (out: string) =>
    /^(\d+) files copied \([\d.]+ MB\), (\d+) were there already\.$/m.exec(out)?.slice(1).map(Number)

  test('media copy that is killed and run again copies all files while a film plays', async () => {
    const tenant = await createTenant(before)
    const member = await tenant.createMember()
    const product = await createFilm(tenant)
    await buy(before, tenant, member, product)
    const { manifestUrl } = await member.client.playback.startPlayback({ id: product.id })
    const { storage } = before.deps
    await storage.putFolder(product.video.asset as MediaKey, film)
    await storage.put(large, randomBytes(60_000_000))
    const content = await contentOf(storage)
    const segments = [...content.keys()].filter((key) => key.endsWith('.m4s'))
    const play = async (media: typeof onDisk, key: string) => {
      const path = manifestUrl.replace(`${product.video.asset}/master.m3u8`, key)
      const answer = await media.get(path, asMember(member.token))
      return [key, answer.status, digest(answer.bytes)]
    }
    let watching = true
    const watched = (async () => {
      const parts: unknown[] = []
      for (let part = 0; watching; part++) {
        const key = segments[part % segments.length] ?? ''
        const seen = await play(onDisk, key)
        if (seen[1] !== 200 || seen[2] !== content.get(key)) parts.push(seen)
      }
      return parts
    })()

    const copy = commandOf(before, variables)
    const [copied = 0, present = 0] = countsOf((await killThenRerun(copy, ['media', 'copy'], inS3)).out) ?? []
    expect([copied + present, copied > 0, present >= 3]).toEqual([content.size, true, true])
    // A file that is added meanwhile is copied by the last run.
    await storage.put('art/late.txt' as MediaKey, Buffer.from('late'))
    expect(countsOf((await copy(['media', 'copy'])).out)).toEqual([1, content.size])
    watching = false
    expect(await watched).toEqual([])
    content.set('art/late.txt', digest(Buffer.from('late')))
    expect(await contentOf(inS3)).toEqual(content)

    // The member’s URL continues to work in the store that uses the new storage.
    for (const key of segments) expect(await play(onS3, key)).toEqual([key, 200, content.get(key)])
    const playlist = await onS3.get(manifestUrl, asMember(member.token))
    expect(playlist.bytes).toEqual(await readFile(join(film, 'master.m3u8')))
    expect((await onNewDisk.get(manifestUrl, asMember(member.token))).status).toBe(404)

    const disk = createDiskStorage(join(elsewhere.deps.dataFolder, 'media'))
    const back = commandOf(elsewhere, variables)
    const [returned = 0, alreadyPresent = 0] =
      countsOf((await killThenRerun(back, ['media', 'copy', '--back'], disk)).out) ?? []
    expect([returned + alreadyPresent, returned > 0, alreadyPresent >= 3]).toEqual([content.size, true, true])
    expect(countsOf((await back(['media', 'copy', '--back'])).out)).toEqual([0, content.size])
    expect(await contentOf(disk)).toEqual(content)
    for (const key of segments) expect(await play(onNewDisk, key)).toEqual([key, 200, content.get(key)])
  })

  test('media copy reports an unavailable storage and the number of copied files', async () => {
    await before.deps.storage.put(large, randomBytes(1_000_000))
    await swift.halt()
    const answer = await commandOf(before, variables)(['media', 'copy'])
    expect(answer.code).toBe(1)
    const [message, soFar] = answer.err.split('\n')
    expect(message).toMatch(/^The media storage does not answer: /)
    expect(soFar).toBe('0 files copied (0.0 MB), 0 were there already. Run it again to continue.')
    await swift.resume()
    expect((await commandOf(before, {})(['media', 'copy'])).err).toMatch(/^MEDIA_S3_ENDPOINT is missing/)
  })
})
