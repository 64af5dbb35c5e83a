/** Counts for `/metrics`, in Prometheus' text format. Labels never hold a user, a tenant or a text. */
export interface ServerMetrics {
  requestEnded(
    labels: {
      readonly door: string
      readonly route: string
      readonly method: string
      readonly status: number
    },
    seconds: number,
  ): void
  render(): Promise<{ readonly contentType: string; readonly text: string }>
}
