/** Keeps a code or a number in its own order inside a line that runs from right to left. */
export const leftToRight = (text: string): string => `\u2066${text}\u2069`
