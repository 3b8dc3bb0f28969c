import { readFileSync } from 'node:fs'
import { setupI18n } from '@lingui/core'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { parsePo } from 'pofile-ts'
import { type Locale, locale as localeSchema } from '#contract/enumerations.ts'
import type { ProblemCode } from '#contract/problem.ts'

type Values = Record<string, string | number | null>

/** The API's texts in one language. The extractor finds calls of `_` on a variable named `i18n`. */
export interface I18n {
  readonly locale: Locale
  /**
   * Returns a text in this language, or in English where it has no translation.
   *
   * @param text The English text, in ICU message format
   * @param values Shown as they are: markup and ICU syntax in them have no effect
   * @param options `context` tells apart texts that are equal in English only
   */
  _(text: string, values?: Values, options?: { context: string }): string
}

/** A text whose reader's language is known later. A string is the same in every language. */
export type Message = string | ((i18n: I18n) => string)

/** Puts a message into words. */
export const messageIn = (i18n: I18n, message: Message): string =>
  typeof message === 'string' ? message : message(i18n)

const keyOf = (text: string, context?: string | null) => (context ? `${context}\u0004${text}` : text)

/** Lingui decodes `\u0041` in a finished text, so backslashes in values are escaped. */
const literal = (values: Values) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replaceAll('\\', '\\u005c') : value,
    ]),
  )

const readCatalogue = (locale: Locale) => {
  const { items } = parsePo(readFileSync(new URL(`../../locales/${locale}/messages.po`, import.meta.url), 'utf8'))
  return Object.fromEntries(
    items
      .filter(({ msgid, obsolete }) => msgid && !obsolete)
      .map(({ msgid, msgctxt, msgstr: [translation] }) => [
        keyOf(msgid, msgctxt),
        compileMessage(translation || msgid),
      ]),
  )
}

const createI18n = (locale: Locale): I18n => {
  const lingui = setupI18n({ locale, messages: { [locale]: readCatalogue(locale) } })
  // Compiles texts that are missing in the catalogue.
  lingui.setMessagesCompiler(compileMessage)
  return {
    locale,
    _: (text, values = {}, options) => lingui._(keyOf(text, options?.context), literal(values), { message: text }),
  }
}

const read = new Map<Locale, I18n>()

/**
 * Returns the API's texts in a language (`ko`, `ko-KR`), or in English where it is unknown. Loads
 * and compiles the catalogue on first use.
 */
export const messagesOf = (language: string): I18n => {
  const locale = localeSchema.options.find((offered) => offered === language.slice(0, 2)) ?? 'en'
  const cached = read.get(locale) ?? createI18n(locale)
  read.set(locale, cached)
  return cached
}

/** The storefront has messages of its own. The console shows these, and developers read them. */
const messagesIn = (i18n: I18n): Record<ProblemCode, string> => ({
  BAD_REQUEST: i18n._('The request could not be read.'),
  IDEMPOTENCY_KEY_MISSING: i18n._('An Idempotency-Key header is required.'),
  VERSION_MISSING: i18n._('An If-Match header with the version of the object is required.'),
  UNAUTHORIZED: i18n._('Sign in to continue.'),
  LOGIN_FAILED: i18n._('Incorrect email or password.'),
  SESSION_EXPIRED: i18n._('The session has expired. Sign in again.'),
  FORBIDDEN: i18n._('You do not have permission to do this.'),
  READ_ONLY: i18n._('You only look at the store here, and cannot change anything.'),
  SECOND_FACTOR_REQUIRED: i18n._('Confirm this session with your second factor to continue.'),
  TENANT_MISMATCH: i18n._('The token belongs to another customer.'),
  MEMBER_BLOCKED: i18n._('This account is blocked.'),
  NOT_ENTITLED: i18n._('You do not have access to this product.'),
  COMMENTS_CLOSED: i18n._('Comments are closed.'),
  PAYMENT_DISABLED: i18n._('This store does not sell individual products.'),
  SUBSCRIBE_DISABLED: i18n._('This store does not offer plans.'),
  INQUIRY_DISABLED: i18n._('This store does not accept inquiries.'),
  JOIN_DISABLED: i18n._('This store does not accept new members.'),
  CONTRACT_EXPIRED: i18n._('The contract of this customer has ended.'),
  SITE_DISABLED: i18n._('This store is temporarily closed.'),
  STORE_NOT_OPEN: i18n._('This store is not open yet.'),
  NOT_FOUND: i18n._('Not found.'),
  METHOD_NOT_ALLOWED: i18n._('This method is not allowed here.'),
  CONFLICT: i18n._('This was changed by another request.'),
  LAST_OWNER: i18n._('A store must have at least one owner.'),
  CART_CHANGED: i18n._('The cart has changed since it was read.'),
  PRICE_CHANGED: i18n._('The price or the terms have changed since they were shown.'),
  ALREADY_OWNED: i18n._('You already own this product.'),
  INCLUDED_IN_PLAN: i18n._('This product is already included in your plan.'),
  NOT_READY: i18n._('This product has nothing to watch or download yet, so it cannot be bought.'),
  ORDER_NOT_PAYABLE: i18n._('This order can no longer be paid.'),
  DEPOSIT_OPEN: i18n._('Another order for this product is awaiting a bank transfer.'),
  CANCEL_NOT_POSSIBLE: i18n._('This order cannot be canceled now.'),
  PLAN_NOT_ON_SALE: i18n._('This plan is not available.'),
  SUBSCRIBED_ALREADY: i18n._('You already have a subscription.'),
  QUOTE_EXPIRED: i18n._('The quote has expired. Request a new one.'),
  CARD_NEEDED: i18n._('A card is required.'),
  BUYER_DETAILS_MISSING: i18n._(
    'The payment provider needs the buyer’s name and phone number. Add them to the profile.',
  ),
  CARD_REFUSED: i18n._('The card was declined.'),
  WITHDRAWAL_BLOCKED: i18n._('A payment or refund is still in progress.'),
  STREAM_LIMIT: i18n._('The limit of simultaneous streams is reached. `takeOver` ends one of them.'),
  DEVICE_LIMIT: i18n._('The device limit is reached. `signOut` removes one of them.'),
  IDEMPOTENCY_IN_FLIGHT: i18n._('The same request is still being processed.'),
  REFUND_AGAINST_RULE: i18n._('This is more than the refund rule gives.'),
  GONE: i18n._('This is no longer available.'),
  VERSION_CONFLICT: i18n._('This was changed by someone else since you opened it.'),
  PAYLOAD_TOO_LARGE: i18n._('The request is too large.'),
  UNSUPPORTED_MEDIA_TYPE: i18n._('Send JSON.'),
  VALIDATION_FAILED: i18n._('Some fields are not valid.'),
  IDEMPOTENCY_KEY_REUSED: i18n._('This Idempotency-Key was used for another request.'),
  RATE_LIMITED: i18n._('Too many attempts. Wait a moment and try again.'),
  SERVER_ERROR: i18n._('A server error has occurred.'),
  PROVIDER_UNAVAILABLE: i18n._('The payment provider is not responding.'),
  UNAVAILABLE: i18n._('The service is not ready.'),
  OVERLOADED: i18n._('The service is very busy. Try again in a moment.'),
  TIMEOUT: i18n._('The request timed out.'),
})

const messagesByLanguage = new Map<Locale, Record<ProblemCode, string>>()

/** Returns the messages of failures by their code. */
export const problemMessages = (language: Locale): Record<ProblemCode, string> => {
  const messages = messagesByLanguage.get(language) ?? messagesIn(messagesOf(language))
  messagesByLanguage.set(language, messages)
  return messages
}
