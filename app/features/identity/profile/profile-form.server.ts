import * as z from 'zod/mini'
import { locale } from '#contract/enumerations.ts'
import { sessionId } from '#contract/ids.ts'
import { type FormPost, formAction, refusedForm } from '~/platform/request/form-post'
import type { RequestContext } from '~/platform/request/request-context'
import { type ProfileForm, profileForms } from './profile.functions'
import {
  detailFields,
  detailsFrom,
  type ProfileOutcome,
  passwordFields,
  passwordsFrom,
  readDetails,
  readPasswords,
} from './profile-fields'

/** Handles a form of the profile without JavaScript, then redirects to the profile. */
export const handleProfileForm = (request: Request, requestContext: RequestContext) =>
  formAction<ProfileOutcome>(request, requestContext, {
    submit: async (form) => {
      const name = formName(form.fields)
      if (!name) return form.invalid([])
      await save[name](form)
      return form.redirect(`/mypages/profile?saved=${name}#${name}`)
    },
    refuse: (problem, { fields }) => {
      const form = formName(fields) ?? 'details'
      return {
        ...refusedForm(problem, [...detailFields, ...passwordFields]),
        form,
        details: form === 'details' ? detailsFrom(fields) : null,
      }
    },
  })

const formName = (fields: FormData) => profileForms.find((name) => name === fields.get('form'))

/** Saves what each form contains. */
const save: Record<ProfileForm, (form: FormPost) => Promise<unknown>> = {
  details: ({ api, fields, invalid }) => {
    const read = readDetails(detailsFrom(fields))
    return read.ok ? api.identity.changeProfile(read.data) : invalid(read.fields)
  },
  preferences: ({ api, fields }) =>
    api.identity.changeProfile({
      locale: z.catch(z.optional(locale), undefined).parse(fields.get('locale')),
      marketing: fields.has('marketing'),
    }),
  password: ({ api, fields, invalid }) => {
    const read = readPasswords(passwordsFrom(fields))
    return read.ok ? api.identity.changePassword(read.data) : invalid(read.fields)
  },
  session: async ({ api, fields }) => {
    const id = z.safeParse(sessionId, fields.get('id'))
    if (id.success) await api.identity.endSession({ id: id.data })
  },
  sessions: ({ api }) => api.identity.endOtherSessions(),
}
