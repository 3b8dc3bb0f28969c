import { and, eq } from 'drizzle-orm'
import type { Ctx } from '#api/context.ts'
import { openJobsOf, setVideoJob } from '#api/db/queries/video-jobs.ts'
import { products } from '#api/db/schema/catalog.ts'
import type { LessonId, ProductId } from '#contract/ids.ts'
import { stateAfter } from './states.ts'

/**
 * Ends what is still open for the same product or lesson: the file given last is the one that counts. The product's row is held until
 * the transaction ends, so that files given at the same moment see each other.
 */
export const supersede = async (
  { db, customer, clock }: Ctx,
  productId: ProductId,
  lessonId: LessonId | null,
  except?: string,
) => {
  await db
    .select({ id: products.id })
    .from(products)
    .where(and(eq(products.customerId, customer.id), eq(products.id, productId)))
    .for('no key update')
  for (const job of await openJobsOf(db, customer.id, productId, lessonId))
    if (job.id !== except)
      await setVideoJob(db, customer.id, job.id, {
        ...{ status: stateAfter.CANCELLED, failure: 'SUPERSEDED', reason: 'Another file was given for it.' },
        ...{ secondsLeft: null, endedAt: clock.now().toISOString() },
      })
}
