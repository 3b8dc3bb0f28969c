import { useLingui } from '@lingui/react/macro'
import { clockAt, timeOfClock } from '#contract/dates.ts'
import { TextField } from '~/ui/text-field'
import { useSettings } from '../platform/settings'
import type { Texts } from './form'
import form from './form.module.css'

interface Period {
  startsAt: string | null
  endsAt: string | null
}

/** From when until when something is shown or sold, in the store's time zone. */
export function PeriodFields({ period, errors }: { period?: Period; errors: Texts }) {
  const { t } = useLingui()
  const { timeZone } = useSettings().base
  // Such as `2026-11-21T18:30`, as the fields write it.
  const local = (iso: string | null | undefined) =>
    iso ? new Date(clockAt(new Date(iso), timeZone)).toISOString().slice(0, 16) : ''
  return (
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
  )
}

/** Returns a function that reads the typed period. */
export const usePeriodIn = () => {
  const { timeZone } = useSettings().base
  const iso = (local: string | undefined) =>
    local ? timeOfClock(Date.parse(`${local}Z`), timeZone).toISOString() : null
  return ({ startsAt, endsAt }: Texts): Period => ({ startsAt: iso(startsAt), endsAt: iso(endsAt) })
}
