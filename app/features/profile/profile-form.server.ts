import { setResponseStatus } from '@tanstack/react-start/server'
import * as z from 'zod/mini'
import { locale } from '#contract/enumerations.ts'
import { sessionId } from '#contract/ids.ts'
import type { CustomerApi } from '~/platform/api/client'
import { problemFromError } from '~/platform/api/client'
import { withPrefix } from '~/platform/i18n/locales'
import { isSameOrigin, readForm } from '~/platform/request/form-post'
import type { RequestContext } from '~/platform/request/request-context'
import type { ProfileAttempt } from './profile-fields'
import {
  detailFields,
  detailsFrom,
  type ProfileForm,
  passwordFields,
  passwordsFrom,
  profileForms,
  readDetails,
  readPasswords,
} from './profile-fields'

/** A form of the profile sent without any script: saves it and shows the page again, or says what is not right. */
export async function receiveProfileForm(
  request: Request,
  requestContext: RequestContext,
): Promise<Response | ProfileAttempt> {
  const fields = isSameOrigin(request) ? await readForm(request) : undefined
  const form = profileForms.find((name) => name === fields?.get('form'))
  const attempt: ProfileAttempt = { form: form ?? 'details', details: null, errors: {}, code: null }
  const refused = (status: number, part: Partial<ProfileAttempt>) => {
    setResponseStatus(status)
    return { ...attempt, ...part }
  }
  if (!fields || !form) return refused(400, { code: 'BAD_REQUEST' })
  const details = form === 'details' ? detailsFrom(fields) : null
  const faults = faultsIn(form, fields)
  if (faults.length > 0)
    return refused(422, { details, errors: Object.fromEntries(faults.map((field) => [field, ''])) })
  try {
    await save[form](requestContext.api, fields)
    const page = requestContext.prefixed ? withPrefix('/mypages/profile', requestContext.locale) : '/mypages/profile'
    const location = `${page}?saved=${form}#${form}`
    return new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } })
  } catch (error) {
    const problem = problemFromError(error, requestContext.requestId)
    if (!problem) throw error
    const named = [...detailFields, ...passwordFields].flatMap((field) => {
      const words = problem.errors[field]?.[0]
      return words ? [[field, words]] : []
    })
    const code = named.length > 0 ? null : problem.code
    return refused(problem.status, { details, errors: Object.fromEntries(named), code })
  }
}

function faultsIn(form: ProfileForm, fields: FormData): string[] {
  const read =
    form === 'details'
      ? readDetails(detailsFrom(fields))
      : form === 'password'
        ? readPasswords(passwordsFrom(fields))
        : undefined
  return read && !read.ok ? read.fields : []
}

/** What each form does, once its fields are right. */
const save: Record<ProfileForm, (api: CustomerApi, fields: FormData) => Promise<unknown>> = {
  details: (api, fields) => {
    const read = readDetails(detailsFrom(fields))
    return read.ok ? api.accounts.changeProfile(read.data) : Promise.resolve()
  },
  preferences: (api, fields) =>
    api.accounts.changeProfile({
      locale: z.catch(z.optional(locale), undefined).parse(fields.get('locale')),
      marketing: fields.has('marketing'),
    }),
  password: (api, fields) => api.accounts.changePassword(passwordsFrom(fields)),
  session: async (api, fields) => {
    const id = z.safeParse(sessionId, fields.get('id'))
    if (id.success) await api.accounts.endSession({ id: id.data })
  },
  sessions: (api) => api.accounts.endOtherSessions(),
}
