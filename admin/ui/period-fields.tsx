import { Trans, useLingui } from '@lingui/react/macro'
import type { ComponentProps } from 'react'
import { clockAt, timeOfClock } from '#contract/dates.ts'
import { TextField } from '~/ui/text-field'
import { useSettings } from '../platform/settings'
import type { Texts } from './form'
import form from './form.module.css'

interface Period {
  startsAt: string | null
  endsAt: string | null
}

/** What a field of a day and time holds, such as `2026-11-21T18:30`, in the store's time zone. */
export const fieldTimeOf = (time: Date, timeZone: string): string =>
  new Date(clockAt(time, timeZone)).toISOString().slice(0, 16)

/** Returns the ISO time of what a field of a day and time holds. */
export const isoTimeOf = (fieldTime: string, timeZone: string): string =>
  timeOfClock(Date.parse(`${fieldTime}Z`), timeZone).toISOString()

/** A day and time in the store's time zone, which the field names: staff may be in another one. */
export function StoreTimeField({ hint, ...props }: Omit<ComponentProps<typeof TextField>, 'type'>) {
  const { t } = useLingui()
  const { timeZone } = useSettings().base
  const zone = t`Times are in ${timeZone}.`
  return <TextField {...props} type="datetime-local" hint={hint ? `${hint} ${zone}` : zone} />
}

/** From when until when something is shown or sold, in the store's time zone. */
export function PeriodFields({ period, errors }: { period?: Period; errors: Texts }) {
  const { t } = useLingui()
  const { timeZone } = useSettings().base
  const local = (iso: string | null | undefined) => (iso ? fieldTimeOf(new Date(iso), timeZone) : '')
  return (
    <>
      <div className={form.period}>
        <TextField
          type="datetime-local"
          label={t`From`}
          hint={t`At once if empty.`}
          name="startsAt"
          defaultValue={local(period?.startsAt)}
          error={errors.startsAt}
        />
        <TextField
          type="datetime-local"
          label={t`Until`}
          hint={t`Without end if empty.`}
          name="endsAt"
          defaultValue={local(period?.endsAt)}
          error={errors.endsAt}
        />
      </div>
      <p className={form.note}>
        <Trans>Times are in {timeZone}.</Trans>
      </p>
    </>
  )
}

/** Returns a function that reads the typed period. */
export const usePeriodIn = () => {
  const { timeZone } = useSettings().base
  const iso = (local: string | undefined) => (local ? isoTimeOf(local, timeZone) : null)
  return ({ startsAt, endsAt }: Texts): Period => ({ startsAt: iso(startsAt), endsAt: iso(endsAt) })
}
