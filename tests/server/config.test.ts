import { describe, expect, test } from 'vitest'
import { readConfig } from '#api/config.ts'

describe('the configuration', () => {
  test('requires no variable', () => {
    expect(readConfig({})).toMatchObject({ host: '127.0.0.1', port: 3000, database: null, production: false })
  })

  test('treats an empty variable as not set', () => {
    expect(readConfig({ DATABASE_URL: '', PORT: '' })).toMatchObject({ port: 3000, database: null })
  })

  test.each([
    ['PORT', 'many', /^PORT must be a port number, for example 3000\.$/],
    ['PORT', '70000', /^PORT must be a port number up to 65535, for example 3000\.$/],
    [
      'DATABASE_URL',
      'mysql://localhost',
      /^DATABASE_URL must be the address of a PostgreSQL database, for example postgres:/,
    ],
    ['PUBLIC_URL', 'https://store.example.c', /^PUBLIC_URL must be the origin browsers use/],
    ['PUBLIC_URL', 'https://store.example.com/shop', /^PUBLIC_URL must be the origin browsers use/],
    ['PUBLIC_URL', 'store.example.com', /^PUBLIC_URL must be the origin browsers use, for example https:/],
    ['DEFAULT_CUSTOMER_CODE', 'No Such!', /^DEFAULT_CUSTOMER_CODE must be a customer code/],
    ['TRUSTED_PROXIES', '10.0.0.1,proxy', /^TRUSTED_PROXIES must be IP addresses/],
    ['MARQUEE_SECRET', 'short', /^MARQUEE_SECRET must be at least 32 characters/],
    ['SMTP_URL', 'mail.example.com:587', /^SMTP_URL must be the address of a mail server, for example smtp:/],
    ['MAIL_FROM', 'the store', /^MAIL_FROM must be an email address/],
    [
      'PAYMENT_STRIPE_SECRET_KEY',
      'pk_live_1',
      /^PAYMENT_STRIPE_SECRET_KEY must be a secret or restricted key of Stripe/,
    ],
    ['PAYMENT_PORTONE_WEBHOOK_SECRET', 'secret', /^PAYMENT_PORTONE_WEBHOOK_SECRET must be the webhook secret/],
    ['MARQUEE_WORKER', 'apart', /^MARQUEE_WORKER is now WORKER_MODE: set WORKER_MODE=external and remove/],
    ['WORKER_MODE', 'apart', /^WORKER_MODE must be embedded or external/],
    ['LOG_LEVEL', 'loud', /^LOG_LEVEL must be fatal, error/],
  ])('refuses %s="%s" with an example', (name, value, sentence) => {
    expect(() => readConfig({ [name]: value })).toThrow(sentence)
  })

  test('requires a sender where there is a mail server', () => {
    expect(() => readConfig({ SMTP_URL: 'smtp://mail.example.com' })).toThrow(/^MAIL_FROM is missing/)
    const config = readConfig({ SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'store@example.com' })
    expect(config.mail).toEqual({ url: 'smtp://mail.example.com', from: 'store@example.com' })
  })

  test('requires a secret where several processes share a database', () => {
    expect(() => readConfig({ DATABASE_URL: 'postgres://app:x@db/marquee' })).toThrow(/^MARQUEE_SECRET is missing/)
  })
})
