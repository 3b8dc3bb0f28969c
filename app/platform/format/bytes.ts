import { numberFormat } from './number-formats'

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** A file's size in the unit people would choose: 812 byte, 3.4 MB. */
export function formatBytes(count: number, locale: string): string {
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, count)) / 3))
  return numberFormat(locale, {
    style: 'unit',
    unit: units[step] ?? 'byte',
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: step < 2 ? 0 : 1,
  }).format(count / 1000 ** step)
}
