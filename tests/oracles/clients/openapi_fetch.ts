// Uses the types of openapi-typescript with openapi-fetch. Prints what its calls came to, as JSON.

import createClient from "openapi-fetch";
import type { components, paths } from "./longhand_client/schema";

type Schemas = components["schemas"];

const [address, key] = process.argv.slice(2);

// An answer in several forms has the type of this one, except with `parseAs`.
const clientOf = (token?: string) =>
  createClient<paths, "application/json">({ baseUrl: address, headers: { Authorization: `Bearer ${token}` } });

const start = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex", 0, 4);

async function main() {
  const client = clientOf(key);
  const request: Schemas["GenerationRequest"] = { text: "Hello", page_size: "card_96x135", seed: 7 };
  const page = await client.POST("/api/v1/generate", { body: request });
  if (page.error) throw new Error(page.error.message);

  const pngRequest: Schemas["PngRequest"] = { text: "Hello", page_size: "card_96x135", seed: 7 };
  const png = await client.POST("/api/v1/generate/png", { body: pngRequest, parseAs: "arrayBuffer" });
  if (png.error) throw new Error(png.error.message);

  const pdfRequest: Schemas["PdfRequest"] = { text: "Hello", page_size: "a6", pdf: { writing: "outlines" } };
  const pdf = await client.POST("/api/v1/generate/pdf", { body: pdfRequest, parseAs: "arrayBuffer" });
  if (pdf.error) throw new Error(pdf.error.message);

  const svgRequest: Schemas["SvgRequest"] = { text: "Hello", page_size: "a6", svg: { group_by: "word" } };
  const svg = await client.POST("/api/v1/generate/svg", { body: svgRequest, parseAs: "arrayBuffer" });
  if (svg.error) throw new Error(svg.error.message);

  const refusals: string[][] = [];
  for (const form of ["", "/png", "/pdf", "/svg"] as const) {
    const path = `/api/v1/generate${form}` as const;
    const { response, error } = await client.POST(path, { body: { text: "", font_id: 91 } });
    if (error?.error !== "VALIDATION_ERROR") throw new Error(`${path}: ${response.status}`);
    refusals.push([String(response.status), ...error.details.map((detail) => detail.field).sort()]);
  }

  const preview = await client.POST("/api/v1/preview", { body: { text: "Hello" } });
  const fonts = await client.GET("/api/v1/fonts");
  const stranger = await clientOf("lh_nobody").POST("/api/v1/generate", { body: request });
  const hand = { path: { id: 3 } };
  const specimen = await client.GET("/api/v1/fonts/{id}/specimen.png", { params: hand, parseAs: "arrayBuffer" });
  const status = await client.GET("/api/v1/status");
  if (!preview.data || !fonts.data || !stranger.error || !specimen.data || !status.data) throw new Error("no answer");
  const { width, height, seed, image_base64 } = page.data;
  console.log(
    JSON.stringify({
      page: [width, height, seed, start(Buffer.from(image_base64, "base64"))],
      png: [start(new Uint8Array(png.data)), png.response.headers.get("x-width"), png.response.headers.get("x-seed")],
      pdf: [start(new Uint8Array(pdf.data)), pdf.response.headers.get("x-writing")],
      svg: [start(new Uint8Array(svg.data)), svg.response.headers.get("x-writing")],
      refusals,
      preview: preview.data.preview_width,
      fonts: [fonts.data.total, fonts.data.fonts[0]?.name],
      stranger: stranger.error.error,
      specimen: [specimen.response.status, start(new Uint8Array(specimen.data))],
      status: status.data.status,
    }),
  );
}

void main();
