import type { ErrorComponentProps } from '@tanstack/react-router'

export function ErrorScreen({ error }: ErrorComponentProps) {
  return <h1>{String(error)}</h1>
}
