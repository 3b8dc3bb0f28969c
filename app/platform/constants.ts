/** The product's fixed numbers and names. Durations are in milliseconds, widths in CSS units. */

export const defaultProductName = 'Marquee'
export const defaultFaviconPath = '/favicon.svg'

export const dayMilliseconds = 24 * 60 * 60 * 1000

export const requestTimeout = 10_000

export const toastLife = 3_000
export const toastWidth = '25rem'

/** Products in the "recently watched" and "recently viewed" sections. */
export const exposureLimit = 24

export const modalResetDelay = 1_000
export const modalWidth = { narrow: 440, wide: 720 } as const

export const localeCookieDays = 365

/** How often an open page checks for a newer build. */
export const buildPollInterval = 60_000

export const layer = { modal: 1100, overlay: 1000, menu: 1000, tooltip: 1100 } as const
export const tooltip = { maxWidth: '12.5rem', fadeIn: 250 } as const

/** Sunday. */
export const firstDayOfWeek = 0
/** The placeholder of a date field. Dates in texts follow the store's `dateFormat`. */
export const dateFieldFormat = 'mm/dd/yy'

/** How long tenant-wide data stay fresh in an open page. */
export const shellFreshness = 60_000
export const memberFreshness = 300_000
/** How long the server caches a host's tenant. */
export const tenantFreshness = 60_000
