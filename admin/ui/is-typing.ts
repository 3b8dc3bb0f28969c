/** Whether a key is typed into a control, so that it is no shortcut. */
export const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

const latin = /^[\x21-\x7e]$/
const places: Readonly<Record<string, string>> = { Slash: '/' }

/**
 * Returns the character of a key as a keyboard of Latin letters has it, in lower case. Somebody who
 * writes Korean presses the same keys, which then type `ㅓ` for `j`, or nothing yet.
 */
export const latinKey = ({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string =>
  latin.test(key) ? key.toLowerCase() : (/^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() ?? places[code] ?? key)
