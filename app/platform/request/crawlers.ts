const crawlerWords = /bot\b|crawl|spider|slurp|mediapartners|facebookexternalhit|embedly|preview/i

/** Whether a browser's name reads like a crawler's. */
export const isCrawler = (userAgent: string | null | undefined): boolean => crawlerWords.test(userAgent ?? '')
