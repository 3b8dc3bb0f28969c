const day = 24 * 60 * 60 * 1000

/** Whole days until a right ends; 0 on its last day. */
export const daysUntil = (iso: string): number => Math.max(0, Math.floor((Date.parse(iso) - Date.now()) / day))
