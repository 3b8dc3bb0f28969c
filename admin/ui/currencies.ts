import { useLingui } from '@lingui/react'
import { currencyChoices } from '#contract/store-choices.ts'

/** The currencies of a choice, with their names. `stored` is one that new stores may not have. */
export const useCurrencies = (stored?: string): { value: string; label: string }[] => {
  const { i18n } = useLingui()
  const names = new Intl.DisplayNames([i18n.locale], { type: 'currency' })
  const choices = currencyChoices()
  const codes = stored === undefined || choices.includes(stored) ? choices : [stored, ...choices]
  return codes.map((value) => ({ value, label: `${value} ${names.of(value)}` }))
}
