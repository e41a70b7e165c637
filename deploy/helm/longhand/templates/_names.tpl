{{- /* Labels by which the objects of a release find its pods; they never change. */}}
{{- define "longhand.labels" -}}
app.kubernetes.io/name: longhand
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
