import { describe, expect, it } from 'vitest'
import { emptyJoin, type JoinStep, joinValuesOf, readJoin } from '~/features/identity/join/join-fields'
import { joinPageFor } from '~/features/identity/join/join-flow'

const at = (stage: JoinStep['stage']) => ({ stage }) as JoinStep

describe('the join-flow check', () => {
  it.each([
    ['/join/input', null, '/join/input'],
    ['/join/verify', null, '/join/input'],
    ['/join/completed', null, '/join/input'],
    ['/join/input', at('VERIFY'), '/join/input'],
    ['/join/verify', at('VERIFY'), '/join/verify'],
    ['/join/completed', at('VERIFY'), '/join/verify'],
    ['/join/verify', at('READY'), '/join/verify'],
    ['/join/completed', at('READY'), '/join/verify'],
    ['/join/input', at('COMPLETED'), '/join/completed'],
    ['/join/verify', at('COMPLETED'), '/join/completed'],
    ['/join/completed', at('COMPLETED'), '/join/completed'],
  ] as const)('a request for %s is redirected to the step that is due', (requestedStep, step, there) =>
    expect(joinPageFor(requestedStep, step)).toBe(there),
  )
})

describe('the join form', () => {
  const whole = {
    ...emptyJoin,
    email: ' sora@example.com ',
    password: 'long enough',
    name: 'Sora',
    phone: '010-1234-5678',
    agreeTerms: true,
    agreePrivacy: true,
    isOldEnough: true,
  }

  it('requires no name, phone or consent to marketing', () => {
    const read = readJoin({ ...whole, name: ' ', phone: ' ' })
    expect(read).toMatchObject({ ok: true, data: { email: 'sora@example.com', agreeMarketing: false } })
    expect(read.ok && 'phone' in read.data).toBe(false)
  })

  it('requires each of the three consents', () => {
    for (const consent of ['agreeTerms', 'agreePrivacy', 'isOldEnough'] as const)
      expect(readJoin({ ...whole, [consent]: false })).toEqual({ ok: false, fields: [consent] })
  })

  it('lists the invalid fields in the order of the page', () =>
    expect(readJoin({ ...emptyJoin, phone: '1' })).toEqual({
      ok: false,
      fields: ['email', 'password', 'phone', 'agreeTerms', 'agreePrivacy', 'isOldEnough'],
    }))

  it('is read from a form, in which an unchecked box is missing', () => {
    const form = new FormData()
    form.set('email', 'sora@example.com')
    form.set('agreeTerms', 'on')
    expect(joinValuesOf(form)).toEqual({
      ...emptyJoin,
      email: 'sora@example.com',
      agreeTerms: true,
    })
  })

  it('ticks the required consents with the box for all, not marketing', () => {
    const form = new FormData()
    form.set('agreeAll', 'on')
    expect(joinValuesOf(form)).toEqual({ ...emptyJoin, agreeTerms: true, agreePrivacy: true, isOldEnough: true })
  })
})
