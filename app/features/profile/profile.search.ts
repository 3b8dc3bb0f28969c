import * as z from 'zod/mini'
import { profileForms } from './profile-fields'

/** `saved` names the form that was sent without script and taken. */
export const profileSearch = z.object({ saved: z.catch(z.optional(z.enum(profileForms)), undefined) })
