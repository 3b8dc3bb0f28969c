const kilobyte = 1024

/** Formats a number of bytes for people, as `38 kB`, `7.4 MB` or `1.9 GB`, and at least 1 kB. */
export const fileSize = (bytes: number, locale: string): string => {
  const unit = bytes < kilobyte ** 2 ? 'kilobyte' : bytes < kilobyte ** 3 ? 'megabyte' : 'gigabyte'
  const power = { kilobyte: 1, megabyte: 2, gigabyte: 3 }[unit]
  const count = Math.max(1, bytes / kilobyte ** power)
  const maximumFractionDigits = unit === 'kilobyte' || count >= 100 ? 0 : 1
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits }).format(
    count,
  )
}
