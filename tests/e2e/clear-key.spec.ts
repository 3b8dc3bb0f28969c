import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Page } from 'playwright/test'
import { encryptInit, encryptSegment } from '../support/common-encryption'
import { fillSignIn } from './console'
import { newMember } from './new-member'
import { expect, secondsPlayed, test } from './store'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
/** A film for every member, of which there is one in the clear. */
const [product, film] = ['desk-window', 'skyline']

interface Licensing {
  server: Server
  url: string
  /** The data about the requester that the store sent. */
  requests: { productId: string; memberId: string; keySystem: string }[]
}

/** A licence server of Clear Key, which gives one key to everyone the store sends. */
const openLicensing = async (keyId: Buffer, key: Buffer): Promise<Licensing> => {
  const requests: Licensing['requests'] = []
  const server = createServer((request, response) => {
    requests.push(JSON.parse(String(request.headers['x-marquee-play'])))
    const text: Buffer[] = []
    request.on('data', (part: Buffer) => text.push(part))
    request.on('end', () => {
      const { kids } = JSON.parse(Buffer.concat(text).toString()) as { kids: string[] }
      const isKnownKey = kids.includes(keyId.toString('base64url'))
      response.writeHead(isKnownKey ? 200 : 404, { 'content-type': 'application/json' })
      const keys = [{ kty: 'oct', kid: keyId.toString('base64url'), k: key.toString('base64url') }]
      response.end(isKnownKey ? JSON.stringify({ keys, type: 'temporary' }) : '')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, requests, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

/**
 * The pictures of a demo film, encrypted and named for Clear Key, in the store's own media folder.
 */
const writeEncrypted = async (folder: string, keyId: Buffer, key: Buffer) => {
  const clear = join(root, 'demo/media/video', film, '240p')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'init.mp4'), encryptInit(await readFile(join(clear, 'init.mp4')), keyId))
  let pictures = 0
  const names: string[] = []
  for (let part = 1; part <= 6; part++) {
    const name = `seg_000${part}.m4s`
    const encrypted = encryptSegment(await readFile(join(clear, name)), key, pictures)
    pictures += encrypted.pictures
    await writeFile(join(folder, name), encrypted.bytes)
    names.push(`#EXTINF:4.000000,\n${name}`)
  }
  const keyLine = `METHOD=SAMPLE-AES-CTR,URI="key",KEYFORMAT="org.w3.clearkey",KEYFORMATVERSIONS="1",KEYID=0x${keyId.toString('hex')}`
  const media = [
    ...[
      '#EXTM3U',
      '#EXT-X-VERSION:7',
      '#EXT-X-TARGETDURATION:4',
      '#EXT-X-MEDIA-SEQUENCE:1',
      '#EXT-X-PLAYLIST-TYPE:VOD',
    ],
    ...[`#EXT-X-KEY:${keyLine}`, '#EXT-X-MAP:URI="init.mp4"', ...names, '#EXT-X-ENDLIST', ''],
  ]
  await writeFile(join(folder, 'index.m3u8'), media.join('\n'))
  const master = [
    ...['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-STREAM-INF:BANDWIDTH=200000,RESOLUTION=426x240,CODECS="avc1.640015"'],
    'index.m3u8\n',
  ]
  await writeFile(join(folder, 'master.m3u8'), master.join('\n'))
}

/** The product gets a film of its own: the clear one is other products' too. */
const exchange = (code: string, asset: string) => `
  import { sql } from 'drizzle-orm'
  import { transact } from './cli/platform/open.ts'
  await transact({ customer: 'aurora' }, ({ db, customer }) => db.execute(sql\`
    WITH own AS (
      INSERT INTO videos (customer_id, id, asset, duration_seconds)
      SELECT v.customer_id, gen_random_uuid(), '${asset}', v.duration_seconds FROM videos v
        JOIN products p ON p.customer_id = v.customer_id AND p.video_id = v.id
       WHERE p.customer_id = \${customer.id} AND p.code = '${code}'
      RETURNING id
    )
    UPDATE products SET video_id = own.id FROM own
     WHERE customer_id = \${customer.id} AND code = '${code}'\`))`

const statusOf = (page: Page, url: string, body: string) =>
  page.evaluate(
    async (ask) => {
      const headers = { 'content-type': 'application/json' }
      return (await fetch(ask.url, { method: 'POST', headers, body: ask.body })).status
    },
    { url, body },
  )

test('an encrypted stream plays with a licence, which requires a valid entitlement', async ({
  page,
  browser,
  store,
  baseURL,
}) => {
  store.expected.push(/status of (403|404)/)
  const keyId = randomBytes(16)
  const key = randomBytes(16)
  const licensing = await openLicensing(keyId, key)
  const data = join(tmpdir(), `marquee-e2e-${new URL(baseURL!).port}`)
  const cli = (...args: string[]) =>
    run(process.execPath, ['server/launch.js', 'cli', ...args], {
      cwd: root,
      env: { ...process.env, MARQUEE_DATA: data },
    })
  const asset = `video/encrypted-${keyId.toString('hex').slice(0, 12)}`
  await writeEncrypted(join(data, 'media', asset), keyId, key)
  // Demo films share their files: this product gets a stream of its own.
  await run(process.execPath, ['--input-type=module', '--eval', exchange(product, asset)], {
    cwd: root,
    env: { ...process.env, MARQUEE_DATA: data },
  })
  const named = await cli(
    ...[
      'video',
      'drm',
      '-c',
      'aurora',
      '--product',
      product,
      '--system',
      'org.w3.clearkey',
      '--licence-url',
      licensing.url,
    ],
  )
  expect(named.stdout).toContain(`${asset} needs licences of org.w3.clearkey.`)

  const aurora = store.at('aurora').replace(/\/$/, '')
  await newMember(page, aurora)
  const licence = page.waitForRequest(/\/licence\/org\.w3\.clearkey$/)
  await page.goto(`${aurora}/products/${product}/watch`)
  await expect.poll(() => secondsPlayed(page)).toBeGreaterThan(1)
  const seen = await page.locator('video').evaluate((video: HTMLVideoElement) => ({
    keys: video.mediaKeys !== null,
    width: video.videoWidth,
    pictures: video.getVideoPlaybackQuality().totalVideoFrames,
  }))
  expect(seen).toMatchObject({ keys: true, width: 426 })
  expect(seen.pictures).toBeGreaterThan(10)
  expect(licensing.requests).toMatchObject([{ keySystem: 'org.w3.clearkey', productId: expect.any(String) }])

  // Another member and a guest have the address and get no key.
  const asking = await licence
  const message = asking.postData() ?? ''
  const stranger = await browser.newContext()
  const other = await stranger.newPage()
  await other.goto(aurora)
  expect(await statusOf(other, asking.url(), message)).toBe(403)
  await newMember(other, aurora)
  expect(await statusOf(other, asking.url(), message)).toBe(403)
  expect(licensing.requests).toHaveLength(1)
  expect(await statusOf(page, asking.url(), message)).toBe(200)
  await stranger.close()

  // Staff who may see videos play it in the console, and the member gets no key at their address.
  const staffContext = await browser.newContext()
  const console = await staffContext.newPage()
  await console.goto(`${aurora}/admin/products/${product}`)
  await fillSignIn(console)
  const ofStaff = console.waitForRequest(/\/licence\/org\.w3\.clearkey$/)
  await console.getByRole('link', { name: 'Captions and chapters' }).click()
  await console.locator('video').evaluate((video: HTMLVideoElement) => {
    video.muted = true
    return video.play()
  })
  await expect
    .poll(() => console.locator('video').evaluate((video: HTMLVideoElement) => video.currentTime))
    .toBeGreaterThan(1)
  const staffAddress = (await ofStaff).url()
  expect(await statusOf(page, staffAddress, message)).toBe(403)
  await staffContext.close()

  // A viewer without a key sees no picture, and the reason.
  licensing.server.removeAllListeners('request')
  licensing.server.on('request', (_, response) => response.writeHead(403).end())
  await page.reload()
  await expect(page.getByRole('alert').filter({ hasText: /protected|couldn’t open/ })).toBeVisible()
  licensing.server.close()
})
