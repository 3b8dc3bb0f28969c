import type { Ctx } from '#api/context.ts'
import { type Failure, failure } from '#api/domain/failure.ts'
import { dayAt } from '#api/domain/orders/day.ts'

export interface Range {
  from: string
  to: string
}

const daysByDefault = 30
/** Nothing was counted before. */
const firstDay = '2000-01-01'
/** More days at once than five years have are asked for by mistake. */
const mostDays = 1_830

const dayMilliseconds = 86_400_000
const dayOf = (milliseconds: number) => new Date(milliseconds).toISOString().slice(0, 10)

/** The days as they were asked for; both may be left out. */
export type AskedRange = { [End in keyof Range]?: Range[End] | undefined }

/** The days asked for, or the last thirty, as the store's time zone counts them. */
export const rangeOf = (ctx: Pick<Ctx, 'customer' | 'clock'>, asked: AskedRange): Range | Failure => {
  const to = asked.to ?? dayAt(ctx.clock.now(), ctx.customer.settings.base.timeZone)
  const from = asked.from ?? dayOf(Date.parse(to) - (daysByDefault - 1) * dayMilliseconds)
  const days = (Date.parse(to) - Date.parse(from)) / dayMilliseconds + 1
  if (from < firstDay) return failure('VALIDATION_FAILED', { errors: { from: [`from must be ${firstDay} or later.`] } })
  if (days < 1)
    return failure('VALIDATION_FAILED', { errors: { to: [`to must not be before from, which is ${from}.`] } })
  if (days > mostDays)
    return failure('VALIDATION_FAILED', {
      errors: { from: [`from and to can be at most ${mostDays} days apart; these are ${days}.`] },
    })
  return { from, to }
}
