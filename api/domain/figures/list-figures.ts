import type { Ctx } from '#api/context.ts'
import {
  type FiguresOrder,
  figuresByPart,
  figuresByPeriod,
  figuresByProduct,
  namedProduct,
  reachedByPart,
  type Sums,
  sumFigures,
} from '#api/db/queries/figures.ts'
import { wholeProduct } from '#api/db/queries/positions.ts'
import { type Failure, failure, isFailure } from '#api/domain/failure.ts'
import {
  type Figures,
  type FiguresPeriod,
  type ProductFigures,
  type ProductRetention,
  type ProductsFigures,
  type StoreFigures,
  videoStretches,
} from '#contract/figures.ts'
import type { LessonId, ProductCode, ProductId } from '#contract/ids.ts'
import { type AskedRange, type Range, rangeOf } from './range.ts'

/** Never more than all: of two processes that add up at a time, one may be done with an end before the other is with its play. */
const shareOf = (some: number, plays: number) => Math.min(1, some / plays)

/** Minutes to the tenth: nobody watches more exactly. */
const figuresOf = ({ views, plays, finishes, playedSeconds }: Sums): Figures => ({
  ...{ views, plays, finishes },
  playedMinutes: Math.round(playedSeconds / 6) / 10,
  finishRate: plays > 0 ? shareOf(finishes, plays) : null,
})

interface Asked extends AskedRange {
  by: FiguresPeriod
}

/** What came of the whole store. */
export const storeFigures = async (ctx: Ctx, { by, ...asked }: Asked): Promise<StoreFigures | Failure> => {
  const range = rangeOf(ctx, asked)
  return isFailure(range) ? range : overTime(ctx, range, null, by)
}

const overTime = async ({ db, customer }: Ctx, range: Range, productId: ProductId | null, by: FiguresPeriod) => {
  const wanted = { ...range, productId }
  const periods = await figuresByPeriod(db, customer.id, wanted, by)
  return {
    ...range,
    total: figuresOf(await sumFigures(db, customer.id, wanted)),
    periods: periods.map(({ from, ...sums }) => ({ from, ...figuresOf(sums) })),
  }
}

/** What came of each product, the most first; products of which nothing came are left out. */
export const productsFigures = async (
  ctx: Ctx,
  { sort, page, size, ...asked }: AskedRange & { sort: FiguresOrder; page: number; size: number },
): Promise<ProductsFigures | Failure> => {
  const range = rangeOf(ctx, asked)
  if (isFailure(range)) return range
  const wanted = { ...range, productId: null }
  const rows = await figuresByProduct(ctx.db, ctx.customer.id, wanted, { sort, limit: size, offset: (page - 1) * size })
  return {
    ...range,
    ...{ total: rows[0]?.total ?? 0, page, size },
    items: rows.map(({ id, code, title, ...sums }) => ({ product: { id, code, title }, ...figuresOf(sums) })),
  }
}

/** What came of one product, in any state, by part and over time. */
export const productFigures = async (
  ctx: Ctx,
  { code, by, ...asked }: Asked & { code: ProductCode },
): Promise<ProductFigures | Failure> => {
  const range = rangeOf(ctx, asked)
  if (isFailure(range)) return range
  const product = await namedProduct(ctx.db, ctx.customer.id, code)
  if (!product) return failure('NOT_FOUND')
  const parts = await figuresByPart(ctx.db, ctx.customer.id, { ...range, productId: product.id })
  return {
    ...(await overTime(ctx, range, product.id, by)),
    product,
    parts: parts.map(({ part, title, ...sums }) => ({
      lesson: lessonOf(part, title),
      ...figuresOf(sums),
    })),
  }
}

const lessonOf = (part: LessonId | typeof wholeProduct, title: string | null) =>
  part === wholeProduct ? null : { id: part, title }

/** How far into each video of a product, in any state, its plays went. */
export const productRetention = async (
  ctx: Ctx,
  { code, ...asked }: AskedRange & { code: ProductCode },
): Promise<ProductRetention | Failure> => {
  const range = rangeOf(ctx, asked)
  if (isFailure(range)) return range
  const product = await namedProduct(ctx.db, ctx.customer.id, code)
  if (!product) return failure('NOT_FOUND')
  const parts = await reachedByPart(ctx.db, ctx.customer.id, { ...range, productId: product.id })
  return {
    ...{ ...range, product },
    parts: parts.map(({ part, title, durationSeconds, plays, reached }) => ({
      ...{ lesson: lessonOf(part, title), durationSeconds, plays },
      retention: reached.map((some, at) => ({ from: at / videoStretches, plays: some, share: shareOf(some, plays) })),
    })),
  }
}
