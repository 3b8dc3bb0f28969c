import { minorDigits } from '#contract/money.ts'

/** Minor units of `12.50`, `1,250` or `1250`; a text that says what would be right for anything else. */
export const readMoney = (text: string, currency: string): number | { right: string } => {
  const decimals = minorDigits(currency)
  const example = decimals === 0 ? '12000' : `12.${'50'.padEnd(decimals, '0').slice(0, decimals)}`
  const plain = text.replace(/\s/g, '')
  const ungrouped = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(plain) ? plain.replaceAll(',', '') : plain
  const found = /^(\d{1,12})(?:\.(\d+))?$/.exec(ungrouped)
  if (!found) return { right: `must be an amount of ${currency} without its sign, for example ${example}` }
  const fraction = (found[2] ?? '').replace(/0+$/, '')
  if (fraction.length > decimals)
    return {
      right:
        decimals === 0
          ? `must be whole: ${currency} has no decimals, for example ${example}`
          : `must have ${decimals} decimals at most, as ${currency} has, for example ${example}`,
    }
  return Number(found[1]! + fraction.padEnd(decimals, '0'))
}

/** Minor units as the amount a person writes: 1250 USD is 12.50. */
export const writeMoney = (amount: number, currency: string): string => {
  const decimals = minorDigits(currency)
  if (decimals === 0) return String(amount)
  const digits = String(amount).padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}
