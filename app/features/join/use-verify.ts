import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '~/platform/api/call'
import { problemOf } from '~/platform/api/problem'
import { onSignIn } from '~/platform/session/session-change'
import { finishJoin, resendCode } from './join.functions'
import { joinStepQuery } from './join.queries'
import { type VerifyOutcome, verifyOutcomeOf } from './join-attempt'
import { keptJoin } from './kept-join'

/** What the page of the code answers itself, in the place where it happened. */
const expected = [400, 404, 409, 410, 422, 429]

/** Handing in the code and asking for another. `outcome` is what came of the last try. */
export function useVerify(sent: VerifyOutcome | null, redirect: string | undefined) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const router = useRouter()
  const [outcome, setOutcome] = useState(sent)
  const [pending, setPending] = useState<'finish' | 'resend' | null>(null)

  const attempt = async (what: 'finish' | 'resend', run: () => Promise<VerifyOutcome | null>) => {
    setPending(what)
    setOutcome(null)
    try {
      setOutcome(await run())
    } catch (error) {
      const problem = problemOf(error)
      if (!problem) throw error
      setOutcome(verifyOutcomeOf(problem.status))
      // How many tries are left, and whether there is anything left to try.
      const step = await queryClient.fetchQuery({ ...joinStepQuery, staleTime: 0 }).catch(() => undefined)
      // A join that was left lying is begun anew.
      if (step === null) await router.invalidate()
    } finally {
      setPending(null)
    }
  }
  return {
    outcome,
    pending,
    say: setOutcome,
    /** Without a code where it was right before. */
    finish: (code?: string) =>
      attempt('finish', async () => {
        await call((signal) => finishJoin({ data: { code }, signal }), { expected })
        await onSignIn(queryClient)
        keptJoin.forget()
        await navigate({ to: '/join/completed', search: { redirect }, replace: true })
        return null
      }),
    resend: () =>
      attempt('resend', async () => {
        const step = await call((signal) => resendCode({ signal }), { expected })
        queryClient.setQueryData(joinStepQuery.queryKey, step)
        return 'SENT'
      }),
  }
}
