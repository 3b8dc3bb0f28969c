import type { Customer } from '#api/context.ts'
import { withTenant } from '#api/db/with-tenant.ts'
import type { Deps } from '#api/deps.ts'
import { type Failure, isFailure } from '#api/domain/failure.ts'
import { findTarget } from '#api/domain/videos/find-target.ts'
import { readChapters } from '#api/domain/videos/read-chapters.ts'
import { checkWish } from '#api/domain/videos/wish.ts'
import { productCode } from '#contract/ids.ts'
import type { VideoOrder } from '#contract/videos.ts'
import { CallError } from './problem.ts'
import { refuseUnstorable } from './validation.ts'

type Metadata = Record<string, string | null | undefined>
type Wanted = Pick<
  VideoOrder,
  'product' | 'lesson' | 'language' | 'previewSeconds' | 'previewStartSeconds' | 'poster'
> & {
  chapters: VideoOrder['chapters']
}

const refuse = (errors: Record<string, string[]>) => new CallError('VALIDATION_FAILED', { errors })

const numberOf = (metadata: Metadata, field: string) => {
  const given = metadata[field]
  if (given === undefined || given === null || given === '') return undefined
  const number = Number(given)
  if (!Number.isFinite(number)) throw refuse({ [field]: ['Enter a number.'] })
  return number
}

/** What an upload is to become, as its metadata says; null where it names no product. Throws where it cannot be. */
export const videoWanted = (metadata: Metadata): Wanted | null => {
  const { product, language, chapters: chapterText } = metadata
  if (!product) return null
  refuseUnstorable(metadata, 'en')
  const code = productCode.safeParse(product)
  if (!code.success) throw refuse({ product: ['Enter a product code, for example K100.'] })
  const chapters = chapterText ? readChapters(chapterText) : []
  if (isFailure(chapters)) throw new CallError(chapters.failure, chapters)
  const [lesson, previewSeconds, previewStartSeconds, poster] = [
    'lesson',
    'previewSeconds',
    'previewStartSeconds',
    'poster',
  ].map((field) => numberOf(metadata, field))
  const wanted = {
    ...{ product: code.data, chapters },
    ...(lesson !== undefined && { lesson }),
    ...(language && { language }),
    ...(previewSeconds !== undefined && { previewSeconds }),
    ...(previewStartSeconds !== undefined && { previewStartSeconds }),
    ...(poster !== undefined && { poster }),
  }
  const errors = checkWish({ ...wanted, captions: [], audio: [] })
  if (errors) throw refuse(errors)
  return wanted
}

/** The `Upload-Metadata` header: names and base64 of UTF-8, with commas between. */
const readMetadata = (header: string | null): Metadata => {
  const pairs = (header ?? '').split(',').map((pair) => pair.trim().split(' '))
  return Object.fromEntries(
    pairs.filter(([name]) => name).map(([name, value = '']) => [name, Buffer.from(value, 'base64').toString('utf8')]),
  )
}

/** Before the first byte of an upload: whether what it is for exists. */
export const checkUpload = async (deps: Deps, customer: Customer, request: Request) => {
  const wanted = videoWanted(readMetadata(request.headers.get('upload-metadata')))
  if (wanted) {
    const ctxOf = (db: Parameters<Parameters<typeof withTenant>[2]>[0]) => ({
      ...{ customer, locale: customer.settings.base.locale, db, clock: deps.clock, log: deps.log, requestId: 'upload' },
      actor: { kind: 'GUEST', guestId: null } as const,
    })
    const target: object | Failure = await withTenant(deps.pool, customer.id, (db) => findTarget(ctxOf(db), wanted))
    if (isFailure(target)) throw new CallError('VALIDATION_FAILED', { errors: target.errors ?? {} })
  }
}
