import type { Ctx } from '#api/context.ts'
import { forgetLooseFiles } from '#api/db/queries/inquiries.ts'
import type { MediaKey } from '#api/media/key.ts'

const looseMilliseconds = 86_400_000

/** Forgets files that no message took up for a day; answers where they lie, for their removal. */
export const forgetFiles = async ({ db, customer, clock }: Pick<Ctx, 'db' | 'customer' | 'clock'>, limit: number) =>
  (await forgetLooseFiles(db, customer.id, new Date(clock.now().getTime() - looseMilliseconds), limit)) as MediaKey[]
