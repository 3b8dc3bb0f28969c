import { createServer, type IncomingHttpHeaders, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll } from 'vitest'
import { openMediaHandler } from '#api/http/media-requests.ts'
import { attachments, lessons, productOptions, products, videos } from '#api/modules/catalog/catalog.schema.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { MediaKey } from '#api/platform/storage/storage.ts'
import type { AttachmentId, LessonId, OptionId, ProductId, VideoId } from '#contract/ids.ts'
import type { ProductInput, Tenant } from './tenant.ts'
import type { TestApi } from './test-api.ts'

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
  text: string
}

/** A picture to upload. */
export const smallPicture = async (width = 20): Promise<File> => {
  const image = sharp({ create: { width, height: 20, channels: 3, background: '#335577' } })
  return new File([new Uint8Array(await image.png().toBuffer())], 'picture.png', { type: 'image/png' })
}

/**
 * A media server over the API's storage. Paths are sent unchanged: a browser would normalize `..`.
 */
export const openMedia = async (api: TestApi, options: Parameters<typeof openMediaHandler>[1] = {}) => {
  const handle = openMediaHandler(api.deps, options)
  const server = createServer((request, response) => {
    void handle(request, response).then((taken) => taken || response.writeHead(404).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  afterAll(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return {
    write: (key: string, content: string) => api.deps.storage.put(key as MediaKey, Buffer.from(content)),
    port,
    get: askAt(port),
  }
}

/** Sends requests to a server on loopback with unchanged paths. */
export const askAt =
  (port: number) =>
  (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    new Promise<Answer>((resolve, reject) => {
      const outgoing = send({ host: '127.0.0.1', port, path, method, headers }, (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('error', reject)
        response.on('end', () => {
          const bytes = Buffer.concat(parts)
          resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes, text: bytes.toString() })
        })
      })
      outgoing.on('error', reject)
      outgoing.end()
    })

export const asMember = (token: string) => ({ cookie: `locale=en; token=${encodeURIComponent(token)}` })

/** Gives a product a stream of its own, 100 seconds long, with a preview beside it. */
export const createFilm = async (tenant: Tenant, input: ProductInput = {}) => {
  const product = await tenant.createProduct({ file: false, ...input })
  const video = await addVideo(tenant)
  await tenant.within((db) => db.update(products).set({ videoId: video.id }).where(eq(products.id, product.id)))
  return { ...product, video }
}

const addVideo = async (tenant: Tenant) => {
  const id = newId<VideoId>()
  const asset = `video/film-${id.slice(-12)}`
  await tenant.within((db) =>
    db.insert(videos).values({
      customerId: tenant.id,
      id,
      asset,
      durationSeconds: 100,
      previewAsset: `${asset}-preview`,
      previewSeconds: 15,
      captions: [{ language: 'ko', label: '한국어' }],
    }),
  )
  return { id, asset }
}

export const addLesson = async (tenant: Tenant, productId: ProductId, sort: number, free: boolean) => {
  const video = await addVideo(tenant)
  const id = newId<LessonId>()
  await tenant.within((db) =>
    db
      .insert(lessons)
      .values({ customerId: tenant.id, id, productId, sort, title: `Lesson ${sort}`, videoId: video.id, free }),
  )
  return { id, video }
}

export const addRental = async (tenant: Tenant, productId: ProductId, days: number, startWithinDays: number) => {
  const id = newId<OptionId>()
  const { currency } = tenant.settings.base
  await tenant.within((db) =>
    db.insert(productOptions).values({
      customerId: tenant.id,
      id,
      productId,
      name: `${days} days`,
      type: 'RENT',
      days,
      startWithinDays,
      priceAmount: 300,
      currency,
    }),
  )
  return id
}

export const addAttachment = async (tenant: Tenant, productId: ProductId, name: string, asset: string) => {
  const id = newId<AttachmentId>()
  await tenant.within((db) =>
    db.insert(attachments).values({
      customerId: tenant.id,
      id,
      productId,
      name,
      asset,
      contentType: 'application/pdf',
      bytes: 5,
    }),
  )
  return id
}
