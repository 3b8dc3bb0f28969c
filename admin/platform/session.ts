import { useLingui } from '@lingui/react/macro'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Permission } from '#contract/permissions.ts'
import type { CurrentStaff } from '#contract/staff.ts'
import { type ConsoleApi, useApi } from './client'
import { isSignedOut } from './failure'
import { writeFrameMemory } from './frame-memory'
import { useWrite } from './use-write'

export const meKey = ['me'] as const

/** Whether the person has signed out here, in contrast to a session that has ended. */
export const leftKey = ['me', 'left'] as const

/** The signed-in person; null if nobody is signed in. */
export const meQuery = (api: ConsoleApi) =>
  queryOptions({
    queryKey: meKey,
    staleTime: 60_000,
    queryFn: async (): Promise<CurrentStaff | null> => {
      try {
        return await api.staff.me()
      } catch (error) {
        if (isSignedOut(error)) return null
        throw error
      }
    },
  })

/** @throws {Error} if nobody is signed in; the shell shows its pages only to those who are */
export const useMe = (): CurrentStaff => {
  const { data } = useQuery(meQuery(useApi()))
  if (!data) throw new Error('Nobody is signed in')
  return data
}

/**
 * Whether the signed-in person may do something. The API decides again. When a session has ended,
 * the page is shown once more before the sign-in form takes its place: then nothing is allowed.
 */
export const useMay = (): ((permission: Permission) => boolean) => {
  const { data } = useQuery(meQuery(useApi()))
  return (permission) => data?.permissions.includes(permission) ?? false
}

/** Whether a mail server is set, so that emails leave the store. */
export const useSendsMail = (): boolean => useQuery(meQuery(useApi())).data?.sendsMail ?? false

/**
 * Returns the notification after an email to a member was queued: without a mail server nothing is
 * sent.
 */
export const useMailNotice = (): ((sent: string) => string | { warning: string }) => {
  const { t } = useLingui()
  const sendsMail = useSendsMail()
  return (sent) => (sendsMail ? sent : { warning: t`Not sent: no mail server is set. The email is in the log.` })
}

/** Whether the session was confirmed with a second factor, or nothing needs one. */
export const useIsConfirmed = (): boolean => useQuery(meQuery(useApi())).data?.secondFactor.isConfirmed ?? false

/** A write that begins a session. What was seen before it is forgotten. */
export const useSignIn = <Input>(signIn: (input: Input) => Promise<unknown>) => {
  const queryClient = useQueryClient()
  return useWrite(signIn, {
    changes: [meKey],
    onDone: () => queryClient.removeQueries({ type: 'inactive' }),
  })
}

/** Ends the session. What the person has seen is forgotten. */
export const useSignOut = () => {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => api.staff.signOut(),
    onSuccess: () => {
      writeFrameMemory(null)
      queryClient.setQueryData(leftKey, true)
      queryClient.setQueryData(meKey, null)
      queryClient.removeQueries({
        predicate: ({ queryKey }) => !['me', 'store', 'settings'].includes(String(queryKey[0])),
      })
    },
  })
}
