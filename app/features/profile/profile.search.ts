import * as z from 'zod/mini'
import { searchSchema } from '~/platform/navigation/search-schema'
import { profileForms } from './profile-fields'

/** `saved` names the form that was sent without script and taken. */
export const profileSearch = searchSchema({ saved: z.enum(profileForms) })
