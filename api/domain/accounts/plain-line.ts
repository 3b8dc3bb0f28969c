/** One line of letters that can be seen: no breaks, no controls, and nothing that turns the direction of what follows. */
export const isPlainLine = (text: string) => !/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u.test(text)
