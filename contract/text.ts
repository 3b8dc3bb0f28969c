import * as z from 'zod/mini'

/** A character that is seen: no space, no control, none that only joins or directs others. */
const visible = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u

/** Returns a text without spaces around it. One without a visible character is empty. */
export const trimText = (text: string): string => (visible.test(text) ? text.trim() : '')

/** Trims a text as `trimText` does, before its length is checked. */
export const trimmed = z.overwrite(trimText)

/** Controls that reverse the text around them. The marks LRM and RLM do not. */
const directionControls = /[\u202a-\u202e\u2066-\u2069]/g

/** Trims a text, without the controls that would show it as another one. */
export const cleanText = (text: string): string => trimText(text.replace(directionControls, ''))

/** Trims a text as `cleanText` does, before its length is checked. */
export const cleaned = z.overwrite(cleanText)

/** A cleaned text of at most `max` characters, which may be empty. */
export const textUpTo = (max: number) => z.string().check(cleaned, z.maxLength(max))

/** A cleaned text of at most `max` characters that has at least one. */
export const requiredText = (max: number) => textUpTo(max).check(z.minLength(1))
