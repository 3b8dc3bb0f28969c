import { minorDigits } from '#contract/money.ts'
import { TextField, type TextFieldProps } from '~/ui/text-field'
import form from './form.module.css'

/** An amount in a currency's minor unit as it is typed: in the major one. */
export const typedAmount = (amount: number, currency: string): string => {
  const digits = minorDigits(currency)
  return (amount / 10 ** digits).toFixed(digits)
}

/** Returns what is typed in a currency's major unit in its minor one. */
export const amountOf = (typed: string | undefined, currency: string): number =>
  Math.round(Number(typed) * 10 ** minorDigits(currency))

/** Whether the typed amount lies in a range of minor units, without parts of the smallest. */
export const isAmountIn = (typed: string, currency: string, [lowest, highest]: readonly [number, number]): boolean => {
  const amount = amountOf(typed, currency)
  return Number(typed) === Number(typedAmount(amount, currency)) && amount >= lowest && amount <= highest
}

interface MoneyFieldProps extends Omit<TextFieldProps, 'type' | 'step' | 'end'> {
  currency: string
}

/** A field of an amount of money, which is typed in the currency's major unit. */
export const MoneyField = ({ currency, min = 0, ...props }: MoneyFieldProps) => (
  <TextField
    {...props}
    type="number"
    min={min}
    step={typedAmount(1, currency)}
    end={<span className={form.unit}>{currency}</span>}
  />
)
