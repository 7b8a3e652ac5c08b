package main

func cbcEncKernels(w *width) {}
