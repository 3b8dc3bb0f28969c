import { type AuditActor, audit } from '#api/platform/audit.ts'
import { type Ctx, type Failure, failure, isFailure } from '#api/platform/context.ts'
import type { MediaStorage } from '#api/platform/storage/storage.ts'
import { makePoster } from './pictures.ts'
import {
  findProductIdByCode,
  lockProduct,
  type NamedVideoTarget,
  readPosterCandidates,
  setPoster,
} from './videos.queries.ts'
import { findTarget } from './videos.ts'

interface PosterCtx {
  storage: MediaStorage
  inTransaction: <Answer>(work: (ctx: Ctx) => Promise<Answer>) => Promise<Answer>
}

interface PosterTarget {
  product: string
  lesson?: number | undefined
}

const without = (sentence: string) => failure('NOT_FOUND', { errors: { poster: [sentence] } })

const candidatesOf = async ({ db, customer }: Ctx, target: NamedVideoTarget) => {
  const candidates = await readPosterCandidates(db, customer.id, target)
  return candidates.length > 0
    ? candidates
    : without(`${target.productCode} has no video with pictures to choose from.`)
}

/**
 * Returns the public media keys of the poster candidates of a product's or lesson's video. Fails
 * with NOT_FOUND if there is no such product, lesson or candidate.
 */
export const listPosters = async (ctx: Ctx, video: PosterTarget): Promise<string[] | Failure> => {
  const posters = await findPosters(ctx, video)
  return isFailure(posters) ? posters : posters.candidates
}

const findPosters = async (ctx: Ctx, video: PosterTarget) => {
  const target = await findTarget(ctx, video)
  if (isFailure(target)) return target
  const candidates = await candidatesOf(ctx, target)
  return isFailure(candidates) ? candidates : { candidates, code: target.productCode }
}

/**
 * Sets a poster candidate, counted from 1, as the product's poster. Fails with NOT_FOUND if there
 * is no such product, lesson or candidate.
 */
export const choosePoster = async (
  { storage, inTransaction }: PosterCtx,
  by: AuditActor,
  poster: PosterTarget & { number: number },
): Promise<{ url: string } | Failure> => {
  const posters = await inTransaction((ctx) => findPosters(ctx, poster))
  if (isFailure(posters)) return posters
  const { candidates, code } = posters
  const key = candidates[poster.number - 1]
  if (!key) return without(`There are ${candidates.length} pictures: choose one from 1 to ${candidates.length}.`)
  const picture = await makePoster(storage, key)
  if (!picture) return without(`The picture ${poster.number} is not in the storage any more.`)
  return inTransaction(async (ctx) => {
    const { db, customer } = ctx
    const productId = await findProductIdByCode(db, customer.id, code)
    if (!productId) return without(`${code} no longer exists.`)
    await lockProduct(db, customer.id, productId)
    await setPoster(db, customer.id, productId, picture)
    await audit(ctx, { actor: by, action: 'poster.chosen', subject: `product:${code}`, detail: { key } })
    return { url: picture.url }
  })
}
